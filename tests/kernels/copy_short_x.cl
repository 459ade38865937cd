// expect: race-free=proved order-free=refuted
// spmd: block=64 grid=1
// A copy that leaves the last cell out, which is read.
__kernel void most(__global const float *a, __global float *out) {
  __local float tile[64];
  event_t done = async_work_group_copy(tile, a, 63, 0);
  wait_group_events(1, &done);
  out[get_local_id(0)] = tile[63 - get_local_id(0)];
}
