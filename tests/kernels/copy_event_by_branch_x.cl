// expect: race-free=refuted
// spmd: block=64
// Behind the branch the wait is for the first copy in one group and for the second in the others, but all read the second.
__kernel void k(__global const float *a, __global float *out) {
  __local float x[64], y[64];
  event_t first = async_work_group_copy(x, a, 64, 0), second = async_work_group_copy(y, a + 64, 64, 0), e;
  if (get_group_id(0) == 0) e = first;
  else e = second;
  wait_group_events(1, &e);
  out[get_global_id(0)] = y[63 - get_local_id(0)];
  wait_group_events(1, &first);
  wait_group_events(1, &second);
}
