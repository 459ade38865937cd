// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: block=64
// In, changed, out again: the barrier is for the copy out, which anyone may begin.
__kernel void twice(__global float *a) {
  __local float tile[64];
  event_t done = async_work_group_copy(tile, a + get_group_id(0) * 64, 64, 0);
  wait_group_events(1, &done);
  tile[get_local_id(0)] *= 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  done = async_work_group_copy(a + get_group_id(0) * 64, tile, 64, 0);
  wait_group_events(1, &done);
}
