// expect: race-free=refuted
// spmd: block=64 require count <= 100
// The same, not waited for.
__kernel void tiles(__global const float *a, __global float *out, int count) {
  __local float tile[64];
  float sum = 0;
  for (int i = 0; i < count; i++) {
    event_t done = async_work_group_copy(tile, a + 10 * i, 64, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 64; j++) sum += tile[j];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}
