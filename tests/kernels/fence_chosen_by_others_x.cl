// expect: race-free=refuted barriers=proved
// spmd: block=64
// The lower half fences, and the upper half exchanges values.
__kernel void k(__global int *out) {
  __local int s[32];
  int low = get_local_id(0) < 32;
  if (!low) s[get_local_id(0) - 32] = get_local_id(0);
  barrier(low ? CLK_LOCAL_MEM_FENCE : 0);
  if (!low) out[get_global_id(0)] = s[63 - get_local_id(0)];
}
