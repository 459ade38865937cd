// expect: barriers=refuted
// spmd: block=64
// The same, but only some threads come to it.
__kernel void some(__global const float *a, __global float *out, int n) {
  __local float tile[64];
  tile[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) < n) {
    event_t done = async_work_group_copy(tile, a + get_group_id(0) * 64, 64, 0);
    wait_group_events(1, &done);
  }
  out[get_global_id(0)] = tile[63 - get_local_id(0)];
}
