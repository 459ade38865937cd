// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=64
// Which copy is waited for first is the same for the whole group, through a pointer that has been aimed by then.
__kernel void k(__global const float *a, __global float *out, int swap) {
  __local float x[64], y[64];
  event_t first = async_work_group_copy(x, a, 64, 0), second = async_work_group_copy(y, a + 64, 64, 0);
  event_t *early = &first, *late = &second;
  if (swap) { early = &second; late = &first; }
  wait_group_events(1, early);
  float sum = swap ? y[63 - get_local_id(0)] : x[63 - get_local_id(0)];
  wait_group_events(1, late);
  out[get_global_id(0)] = sum + x[get_local_id(0)] + y[get_local_id(0)];
}
