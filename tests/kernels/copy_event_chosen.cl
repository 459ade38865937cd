// expect: verdict=unknown message=an asynchronous copy
// spmd: block=16 grid=1
// Which copy is waited for depends on the thread.
kernel void pick(global const float *a, global const float *b, global float *out) {
  local float left[16];
  local float right[16];
  event_t one = async_work_group_copy(left, a, 16, 0);
  event_t two = async_work_group_copy(right, b, 16, 0);
  event_t *which = &one;
  if (get_local_id(0) > 7) which = &two;
  wait_group_events(1, which);
  out[get_local_id(0)] = left[get_local_id(0)] + right[get_local_id(0)];
}
