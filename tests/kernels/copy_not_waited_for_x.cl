// expect: race-free=proved order-free=unknown
// spmd: block=64
// Some threads end before the copy has: undefined.
__kernel void k(__global const float *a, __global float *out, int n) {
  __local float x[64];
  event_t e = async_work_group_copy(x, a, 64, 0);
  if (n > 3) return;
  wait_group_events(1, &e);
  out[get_global_id(0)] = x[63 - get_local_id(0)];
}
