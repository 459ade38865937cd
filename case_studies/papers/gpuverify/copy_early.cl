// The same, but each work-item changes its element before anyone has waited for the copy.
__kernel void copy_early(__global int *data) {
  __local int tile[64];
  __global int *own = data + get_group_id(0) * 64;
  event_t come = async_work_group_copy(tile, own, 64, 0);
  tile[get_local_id(0)] += 1;
  wait_group_events(1, &come);
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t gone = async_work_group_copy(own, tile, 64, 0);
  wait_group_events(1, &gone);
}
