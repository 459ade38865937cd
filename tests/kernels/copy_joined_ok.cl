// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: block=64 grid=1
// Two copies of one event, waited for at once; the second gathers every third element.
__kernel void both(__global const float *a, __global float *out) {
  __local float one[64], two[64];
  event_t done = async_work_group_copy(one, a, 64, 0);
  async_work_group_strided_copy(two, a + 64, 64, 3, done);
  wait_group_events(1, &done);
  out[get_local_id(0)] = one[63 - get_local_id(0)] + two[63 - get_local_id(0)];
}
