// expect: race-free=proved barriers=proved
// spmd: block=64
// Every thread chooses the same fence, by an argument, and both choices order local memory.
__kernel void k(__global int *out, int wide) {
  __local int s[64];
  s[get_local_id(0)] = get_local_id(0);
  barrier(wide ? CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE : CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[63 - get_local_id(0)];
}
