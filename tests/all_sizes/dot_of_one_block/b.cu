// spmd: block=512 grid=1 x[n] y[n] out[1] require n >= 0, n <= 1000000
__global__ void dot_shuffles(const float *x, const float *y, float *out, int n) {
  __shared__ float sums[16];
  float mine = 0.0f;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += x[i] * y[i];
  for (int d = 16; d > 0; d /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, d);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = mine;
  __syncthreads();
  if (threadIdx.x < 32) {
    mine = threadIdx.x < 16 ? sums[threadIdx.x] : 0.0f;
    for (int d = 8; d > 0; d /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, d);
    if (threadIdx.x == 0) *out = mine;
  }
}
