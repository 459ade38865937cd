// spmd: block=128 grid=(rows+3)/4 rows=19 cols=300 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// One warp a row, four rows a block: lanes stride over the row, shuffles combine, one reciprocal a row.
__device__ __forceinline__ float warp_max(float v) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, offset));
  return v;
}
__device__ __forceinline__ float warp_sum(float v) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_xor_sync(0xffffffffu, v, offset);
  return v;
}
__global__ void softmax(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
  int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  int row = blockIdx.x * (blockDim.x >> 5) + warp;
  if (row >= rows) return;
  const float *x = in + row * cols;
  float *y = out + row * cols;
  float largest = -INFINITY;
  for (int c = lane; c < cols; c += 32) largest = fmaxf(largest, x[c]);
  largest = warp_max(largest);
  float sum = 0.0f;
  for (int c = lane; c < cols; c += 32) sum += __expf(x[c] - largest);
  float inverse = 1.0f / warp_sum(sum);
  for (int c = lane; c < cols; c += 32) y[c] = __expf(x[c] - largest) * inverse;
}
