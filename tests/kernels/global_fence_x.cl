// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=1
// The other way round: a global fence orders no local memory.
__kernel void turn(__global const int *in, __global int *out) {
  __local int s[32];
  int t = get_local_id(0);
  s[t] = in[t];
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[t] = s[31 - t];
}
