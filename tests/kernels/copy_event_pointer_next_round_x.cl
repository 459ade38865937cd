// expect: verdict=unsupported message=aimed at another after it was followed
// spmd: block=64
// In the second round the pointer leads to the other event.
__kernel void k(__global const float *a, __global float *out) {
  __local float x[64], y[64];
  event_t first = async_work_group_copy(x, a, 64, 0), second = async_work_group_copy(y, a + 64, 64, 0);
  event_t *which = &first;
  for (int i = 0; i < 2; i++) {
    wait_group_events(1, which);
    which = &second;
  }
  out[get_global_id(0)] = x[63 - get_local_id(0)] + y[get_local_id(0)];
}
