// expect: race-free=unknown
// spmd: block=64
// A stride of 0: all elements go to one cell, in no order.
__kernel void k(__global const float *a, __global float *out) {
  __local float x[64];
  x[get_local_id(0)] = a[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_strided_copy(out + get_group_id(0) * 64, x, 64, 0, 0);
  wait_group_events(1, &e);
}
