// expect: barriers=refuted
// spmd: block=64
// Some threads wait for the one copy, the others for the other one: a wait must be the same for all of a group.
__kernel void k(__global const float *a, __global float *out) {
  __local float x[64], y[64];
  event_t first = async_work_group_copy(x, a, 64, 0), second = async_work_group_copy(y, a + 64, 64, 0);
  event_t *which = &first;
  if (get_local_id(0) > 5) which = &second;
  wait_group_events(1, which);
  out[get_global_id(0)] = x[63 - get_local_id(0)] + y[get_local_id(0)];
}
