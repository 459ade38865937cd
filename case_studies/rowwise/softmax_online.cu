// spmd: block=256 grid=rows rows=19 cols=300 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// One block a row, two passes instead of three: a running maximum and a sum scaled to it; threads that have no column hold (-FLT_MAX, 0).
#include <cfloat>
__device__ __forceinline__ void merge(float &m, float &l, float m2, float l2) {
  float both = fmaxf(m, m2);
  l = l * expf(m - both) + l2 * expf(m2 - both);
  m = both;
}
__device__ __forceinline__ void warp_merge(float &m, float &l) {
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1)
    merge(m, l, __shfl_xor_sync(0xffffffffu, m, offset), __shfl_xor_sync(0xffffffffu, l, offset));
}
__global__ void softmax(const float *__restrict__ in, float *__restrict__ out, int rows, int cols) {
  __shared__ float ms[8], ls[8];
  int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  const float *x = in + blockIdx.x * cols;
  float *y = out + blockIdx.x * cols;
  float m = -FLT_MAX, l = 0.0f;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) merge(m, l, x[c], 1.0f);
  warp_merge(m, l);
  if (lane == 0) {
    ms[warp] = m;
    ls[warp] = l;
  }
  __syncthreads();
  m = ms[0];
  l = ls[0];
  for (int w = 1; w < 8; w++) merge(m, l, ms[w], ls[w]);
  float inverse = 1.0f / l;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) y[c] = expf(x[c] - m) * inverse;
}
