// expect: race-free=refuted barriers=proved
// spmd: block=64
// The same without the barrier: a copy may be out before all have changed theirs.
__kernel void twice(__global float *a) {
  __local float tile[64];
  event_t done = async_work_group_copy(tile, a + get_group_id(0) * 64, 64, 0);
  wait_group_events(1, &done);
  tile[get_local_id(0)] *= 2;
  done = async_work_group_copy(a + get_group_id(0) * 64, tile, 64, 0);
  wait_group_events(1, &done);
}
