// spmd: block=128 grid=2 n=301 h[256] require n >= 1, n <= 1000000000
// Four copies a block, one a warp, so that warps do not wait for each other's atomics.
__global__ void histogram(const unsigned char *data, unsigned *h, int n) {
  __shared__ unsigned own[4][256];
  int warp = threadIdx.x / 32;
  for (int b = threadIdx.x; b < 256; b += blockDim.x)
    for (int c = 0; c < 4; c++) own[c][b] = 0;
  __syncthreads();  // the copies are cleared
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[warp][data[i]], 1u);
  __syncthreads();  // the copies are complete
  for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&h[b], own[0][b] + own[1][b] + own[2][b] + own[3][b]);
}
