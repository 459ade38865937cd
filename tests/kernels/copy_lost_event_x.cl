// expect: race-free=refuted
// spmd: block=64 grid=1
// Two copies, of which the first loses its event to the second: nobody has waited for it.
__kernel void halves(__global const float *a, __global float *out) {
  __local float tile[128];
  event_t done = async_work_group_copy(tile, a, 64, 0);
  done = async_work_group_copy(tile + 64, a + 64, 64, 0);
  wait_group_events(1, &done);
  out[get_local_id(0)] = tile[63 - get_local_id(0)];
}
