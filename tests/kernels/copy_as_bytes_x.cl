// expect: race-free=refuted
// spmd: block=64
// The same with a store into what is being copied.
__kernel void both(__global float *a) {
  __local float one[128], two[128];
  event_t done = async_work_group_copy(one, a + get_group_id(0) * 64, 64, 0);
  __global char *bytes = (__global char *)a;
  async_work_group_copy((__local char *)two, bytes + get_group_id(0) * 64 * sizeof(float), 64 * sizeof(float), done);
  one[32 + get_local_id(0)] = get_global_id(0);
  wait_group_events(1, &done);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = one[get_local_id(0)] + two[63 - get_local_id(0)];
}
