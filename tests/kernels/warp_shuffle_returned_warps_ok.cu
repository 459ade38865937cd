// expect: order-free=proved race-free=proved barriers=proved
// spmd: require blockDim.x % 32 == 0
// Whole warps return.
__global__ void rows(const float *in, float *out, int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float v = in[row * 32 + lane];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
  if (lane == 0) out[row] = v;
}
