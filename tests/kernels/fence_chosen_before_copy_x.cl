// expect: race-free=unknown barriers=proved
// spmd: block=64
// The thread that wrote has fenced, another has not, and the whole group copies.
__kernel void k(__global int *out) {
  __local int s[1];
  int t = get_local_id(0);
  if (t == 0) s[0] = 1;
  barrier(t != 5 ? CLK_LOCAL_MEM_FENCE : 0);
  event_t e = async_work_group_copy(out + get_group_id(0), s, 1, 0);
  wait_group_events(1, &e);
}
