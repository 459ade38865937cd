// expect: race-free=refuted barriers=proved
// spmd: block=64
// Data choose the fence: some leave the writes of one half to nobody.
__kernel void k(__global const int *in, __global int *out) {
  __local int s[64];
  s[get_local_id(0)] = get_local_id(0);
  barrier(in[get_local_id(0)] & CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = s[63 - get_local_id(0)];
}
