// spmd: block=64 grid=(rows+1)/2 rows=11 cols=140 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// One warp a row: maximum and sum by shuffles, no shared memory and no barrier.
__device__ float warp_max(float v) {
  for (int d = 16; d > 0; d /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d));
  return v;
}
__device__ float warp_sum(float v) {
  for (int s = 16; s > 0; s /= 2) v += __shfl_xor_sync(0xffffffffu, v, s);
  return v;
}
__global__ void softmax(const float *in, float *out, int rows, int cols) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *x = in + row * cols;
  float m = -INFINITY;
  for (int j = lane; j < cols; j += 32) m = fmaxf(m, x[j]);
  m = warp_max(m);
  float sum = 0.0f;
  for (int k = lane; k < cols; k += 32) sum += expf(x[k] - m);
  sum = warp_sum(sum);
  for (int i = lane; i < cols; i += 32) out[row * cols + i] = expf(x[i] - m) / sum;
}
