// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=64
// Either copy, and a wait for whichever it was: the test of the branch says which.
__kernel void k(__global const float *a, __global float *out) {
  __local float x[64];
  event_t e;
  if (get_group_id(0) == 0) e = async_work_group_copy(x, a, 64, 0);
  else e = async_work_group_copy(x, a + 64, 64, 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = x[63 - get_local_id(0)];
}
