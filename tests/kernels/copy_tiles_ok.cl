// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: block=64 require count <= 100
// A copy each round of a loop, waited for before it is read; the barrier keeps the next one off.
__kernel void tiles(__global const float *a, __global float *out, int count) {
  __local float tile[64];
  float sum = 0;
  for (int i = 0; i < count; i++) {
    event_t done = async_work_group_copy(tile, a + 10 * i, 64, 0);
    wait_group_events(1, &done);
    for (int j = 0; j < 64; j++) sum += tile[j];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum;
}
