// spmd: block=128 grid=3 n=1003 h[64] require n >= 1, n <= 1000000000
// Four copies a block, one a warp, so that warps do not wait for each other's atomics.
__global__ void histogram(const unsigned char *data, unsigned *h, int n) {
  __shared__ unsigned own[4][64];
  int warp = threadIdx.x / 32;
  if (threadIdx.x < 64)
    for (int c = 0; c < 4; c++) own[c][threadIdx.x] = 0;
  __syncthreads();  // the copies are cleared
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[warp][data[i] >> 2], 1u);
  __syncthreads();  // the copies are complete
  if (threadIdx.x < 64) {
    unsigned sum = 0;
    for (int k = 0; k < 4; k++) sum += own[k][threadIdx.x];
    atomicAdd(&h[threadIdx.x], sum);
  }
}
