// expect: race-free=unknown barriers=proved
// spmd: block=64
// The writer fences at the first barrier, the reader at the second, one thread at both: through it the reader may know.
__kernel void k(__global int *out) {
  __local int s[1];
  int t = get_local_id(0);
  if (t == 0) s[0] = 1;
  barrier(t == 0 || t == 5 ? CLK_LOCAL_MEM_FENCE : 0);
  barrier(t == 1 || t == 5 ? CLK_LOCAL_MEM_FENCE : 0);
  if (t == 1) out[get_global_id(0)] = s[0];
}
