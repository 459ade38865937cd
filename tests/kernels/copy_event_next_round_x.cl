// expect: verdict=unsupported message=set again in a loop
// spmd: block=64
// In the second round the wait is for the other copy: nobody waits for the first one.
__kernel void k(__global const float *a, __global float *out) {
  __local float x[64], y[64];
  event_t e = async_work_group_copy(x, a, 64, 0);
  for (int i = 0; i < 2; i++) {
    if (i == 1) { wait_group_events(1, &e); out[get_global_id(0)] = x[63 - get_local_id(0)]; }
    e = async_work_group_copy(y, a + 64, 64, 0);
    wait_group_events(1, &e);
  }
}
