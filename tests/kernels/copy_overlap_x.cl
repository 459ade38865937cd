// expect: race-free=refuted
// spmd: block=64
// The same with blocks whose copies overlap.
__kernel void twice(__global float *a) {
  __local float tile[64];
  event_t done = async_work_group_copy(tile, a + get_group_id(0) * 60, 64, 0);
  wait_group_events(1, &done);
  tile[get_local_id(0)] *= 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  done = async_work_group_copy(a + get_group_id(0) * 60, tile, 64, 0);
  wait_group_events(1, &done);
}
