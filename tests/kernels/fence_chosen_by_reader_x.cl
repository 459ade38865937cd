// expect: race-free=refuted barriers=proved
// spmd: block=64
// The reader fences and the writer does not: nothing releases what was written.
__kernel void k(__global int *out) {
  __local int s[32];
  int low = get_local_id(0) < 32;
  if (low) s[get_local_id(0)] = get_local_id(0);
  barrier(low ? 0 : CLK_LOCAL_MEM_FENCE);
  if (!low) out[get_global_id(0)] = s[63 - get_local_id(0)];
}
