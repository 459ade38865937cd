// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=1
// A barrier without a fence orders no memory at all.
__kernel void turn(__global const int *in, __global int *out) {
  __local int s[32];
  int t = get_local_id(0);
  s[t] = in[t];
  barrier(0);
  out[t] = s[31 - t];
}
