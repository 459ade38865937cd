// expect: race-free=proved barriers=proved
// The same with the barrier, at every size.
__global__ void dynamic_shared(const int *in, int *out) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t];
}
