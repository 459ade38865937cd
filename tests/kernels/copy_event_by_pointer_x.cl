// expect: race-free=refuted barriers=proved
// spmd: block=64
// The other way round: what is read first is what is waited for last.
__kernel void k(__global const float *a, __global float *out, int swap) {
  __local float x[64], y[64];
  event_t first = async_work_group_copy(x, a, 64, 0), second = async_work_group_copy(y, a + 64, 64, 0);
  event_t *early = &first, *late = &second;
  if (swap) { early = &second; late = &first; }
  wait_group_events(1, early);
  float sum = swap ? x[63 - get_local_id(0)] : y[63 - get_local_id(0)];
  wait_group_events(1, late);
  out[get_global_id(0)] = sum;
}
