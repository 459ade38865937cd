// expect: race-free=proved barriers=proved order-free=proved
// at: block=256 grid=16
// Inclusive scan of a block, every thread a step.
__global__ void scan(const int *in, int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = in[i];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
    __syncthreads();
    s[t] += v;
    __syncthreads();
  }
  out[i] = s[t];
}
