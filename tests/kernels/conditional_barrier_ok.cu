// expect: race-free=proved barriers=proved
// spmd: block=64 grid=1
// Either the one barrier or the other is met.
__global__ void perhaps(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  if (n > 0) __syncthreads();
  if (n <= 0) __syncthreads();
  out[t] = s[63 - t];
}
