// expect: barriers=refuted
// spmd: block=16 grid=1
// All threads must ask for the same copy.
kernel void uneven(global const float *a, global float *out) {
  local float tile[32];
  event_t done = async_work_group_copy(tile, a, 8 + get_local_id(0), 0);
  wait_group_events(1, &done);
  out[get_local_id(0)] = tile[get_local_id(0)];
}
