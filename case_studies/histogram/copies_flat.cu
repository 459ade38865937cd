// spmd: block=128 grid=3 n=1003 h[64] require n >= 1, n <= 1000000000
// The same with the copies cleared as one flat array.
__global__ void histogram(const unsigned char *data, unsigned *h, int n) {
  __shared__ unsigned own[4][64];
  int warp = threadIdx.x / 32;
  for (int b = threadIdx.x; b < 4 * 64; b += blockDim.x) own[b / 64][b % 64] = 0;
  __syncthreads();  // the copies are cleared
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[warp][data[i] >> 2], 1u);
  __syncthreads();  // the copies are complete
  if (threadIdx.x < 64) {
    unsigned sum = 0;
    for (int c = 0; c < 4; c++) sum += own[c][threadIdx.x];
    atomicAdd(&h[threadIdx.x], sum);
  }
}
