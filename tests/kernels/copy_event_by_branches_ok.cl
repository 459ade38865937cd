// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=64
// Branches within branches, and one side that leaves the event as it was.
__kernel void k(__global const float *a, __global float *out, int c, int d) {
  __local float x[64], y[64];
  event_t first = async_work_group_copy(x, a, 64, 0), second = async_work_group_copy(y, a + 64, 64, 0), e = first;
  if (c == 1) { if (d) e = second; }
  else if (c == 2) e = second;
  wait_group_events(1, &e);
  float early = (c == 1 && d) || c == 2 ? y[63 - get_local_id(0)] : x[63 - get_local_id(0)];
  wait_group_events(1, &first);
  wait_group_events(1, &second);
  out[get_global_id(0)] = early;
}
