// expect: race-free=proved barriers=proved order-free=refuted bounds=proved
// spmd: block=4
// The same, filled in later rounds only: the first one reads what nobody wrote.
__global__ void sums(float *out, const float *in, int rows) {
  __shared__ float s[8];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    if (row != blockIdx.x) s[threadIdx.x] = in[row * 8 + threadIdx.x];
    if (row != blockIdx.x) s[threadIdx.x + 4] = in[row * 8 + threadIdx.x + 4];
    for (int d = 4; d > 0; d /= 2) {
      __syncthreads();
      if (threadIdx.x < d) {
        s[threadIdx.x] += s[threadIdx.x + d];
        s[threadIdx.x + d] = s[threadIdx.x] * 2;
      }
    }
    __syncthreads();
    out[row * 8 + threadIdx.x] = s[threadIdx.x];
    out[row * 8 + threadIdx.x + 4] = s[threadIdx.x + 4];
    __syncthreads();
  }
}
