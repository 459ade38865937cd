// A group fetches its stretch by an asynchronous copy, waits for it, changes it and copies it back.
__kernel void copy_ok(__global int *data) {
  __local int tile[64];
  __global int *own = data + get_group_id(0) * 64;
  event_t come = async_work_group_copy(tile, own, 64, 0);
  wait_group_events(1, &come);
  tile[get_local_id(0)] += 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t gone = async_work_group_copy(own, tile, 64, 0);
  wait_group_events(1, &gone);
}
