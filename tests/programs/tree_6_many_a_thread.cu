// expect: race-free=proved barriers=proved order-free=proved
// at: block=256 grid=16 n=100000
// Tree reduction of many elements a thread, in strides over the grid.
__global__ void sum(const int *in, int *out, unsigned n) {
  extern __shared__ int s[];
  unsigned t = threadIdx.x;
  int mine = 0;
  for (unsigned i = blockIdx.x * blockDim.x * 2 + t; i < n; i += gridDim.x * blockDim.x * 2) {
    mine += in[i];
    if (i + blockDim.x < n) mine += in[i + blockDim.x];
  }
  s[t] = mine;
  __syncthreads();
  for (unsigned d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
