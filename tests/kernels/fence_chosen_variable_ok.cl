// expect: race-free=proved barriers=proved
// spmd: block=64 grid=4 n=8
// At this launch the flags are a constant after all, also in the loop.
__kernel void k(__global int *out, int n) {
  __local int s[64];
  int flags = n > 3 ? CLK_LOCAL_MEM_FENCE : 0;
  for (int i = 0; i < n; i++) {
    s[get_local_id(0)] = i;
    barrier(flags);
    out[get_global_id(0)] += s[63 - get_local_id(0)];
    barrier(flags);
  }
}
