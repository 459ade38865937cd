// expect: race-free=refuted barriers=proved
// spmd: block=64
// With one of the arguments nobody fences local memory.
__kernel void k(__global int *out, int wide) {
  __local int s[64];
  s[get_local_id(0)] = get_local_id(0);
  barrier(wide ? CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[63 - get_local_id(0)];
}
