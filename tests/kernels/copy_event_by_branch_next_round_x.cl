// expect: race-free=unknown
// spmd: block=64
// The second round waits for what the first has set: nobody waits for the first copy.
__kernel void k(__global const float *a, __global float *out) {
  __local float x[64], y[64];
  event_t first = async_work_group_copy(x, a, 64, 0), second = async_work_group_copy(y, a + 64, 64, 0), e = first;
  for (int i = 0; i < 2; i++) {
    if (i == 0) e = second;
    else wait_group_events(1, &e);
  }
  wait_group_events(1, &second);
  out[get_global_id(0)] = x[63 - get_local_id(0)];
}
