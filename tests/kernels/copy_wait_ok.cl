// expect: verdict=proved
// spmd: block=16 grid=2
// Two copies, both waited for before their tiles are read.
kernel void add(global const float *a, global const float *b, global float *out) {
  local float left[16];
  local float right[16];
  event_t done[2];
  done[0] = async_work_group_copy(left, a + 16 * get_group_id(0), 16, 0);
  done[1] = async_work_group_copy(right, b + 16 * get_group_id(0), 16, 0);
  wait_group_events(2, done);
  out[get_global_id(0)] = left[get_local_id(0)] + right[15 - get_local_id(0)];
}
