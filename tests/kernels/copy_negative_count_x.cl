// expect: bounds=refuted
// spmd: block=64
// A count below zero is a very large one.
__kernel void k(__global const float *a, __global float *out, int n) {
  __local float x[64];
  x[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(x, a, n - 64, 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = x[63 - get_local_id(0)];
}
