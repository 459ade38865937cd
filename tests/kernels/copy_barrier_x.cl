// expect: race-free=refuted
// spmd: block=16 grid=2
// A barrier does not wait for an asynchronous copy.
kernel void scale(global const float *in, global float *out) {
  local float tile[16];
  event_t done = async_work_group_copy(tile, in + 16 * get_group_id(0), 16, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = 2.0f * tile[15 - get_local_id(0)];
  wait_group_events(1, &done);
}
