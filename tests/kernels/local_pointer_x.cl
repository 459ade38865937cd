// expect: barriers=refuted
// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 1000000
// The tail items leave before the barrier.
__kernel void pass_through(__global const float *in, __global float *out, __local float *tmp, int n) {
  int i = get_global_id(0);
  int t = get_local_id(0);
  if (i >= n) return;
  tmp[t] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = tmp[t];
}
