// expect: race-free=proved barriers=proved order-free=proved
// at: block=256 grid=16
// The same with two buffers and one barrier a step.
__global__ void scan(const int *in, int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, from = 0;
  s[t] = in[i];
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int to = 1 - from;
    s[to * blockDim.x + t] = s[from * blockDim.x + t] + (t >= d ? s[from * blockDim.x + t - d] : 0);
    from = to;
    __syncthreads();
  }
  out[i] = s[from * blockDim.x + t];
}
