// expect: race-free=proved barriers=proved
// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 1000000
// Local memory that the host sizes, a tail guard that the barrier stands outside of.
__kernel void pass_through(__global const float *in, __global float *out, __local float *tmp, int n) {
  int i = get_global_id(0);
  int t = get_local_id(0);
  tmp[t] = i < n ? in[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) out[i] = tmp[63 - t];
}
