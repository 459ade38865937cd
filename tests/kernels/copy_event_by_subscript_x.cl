// expect: race-free=unknown
// spmd: block=64
// The event of the first copy is lost to the second: which of them is waited for hangs on a subscript.
__kernel void k(__global const float *a, __global float *out, int n) {
  __local float x[64], y[64];
  event_t done[2];
  done[0] = async_work_group_copy(x, a, 64, 0);
  done[n] = async_work_group_copy(y, a + 64, 64, 0);
  wait_group_events(1, done);
  out[get_global_id(0)] = x[63 - get_local_id(0)];
}
