// equality: real. X: the packed weights are read as uchar4, negative weights become w + 256.
#include <cassert>
#include <cstdint>
#include <cuda_runtime.h>

// y[r] = sum_k (w[r, k] * scale[r]) * x[k]
__global__ void gemv_w8_a(const int8_t *__restrict__ w, const float *__restrict__ scale, const float *__restrict__ x,
                          float *__restrict__ y, int rows, int K) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float acc = 0.f;
  for (int k = 0; k < K; ++k) {
    float wf = static_cast<float>(w[r * K + k]) * scale[r];
    acc += wf * x[k];
  }
  y[r] = acc;
}

// warp per row, scale applied once at the end
__global__ void gemv_w8_b(const int8_t *__restrict__ w, const float *__restrict__ scale, const float *__restrict__ x,
                          float *__restrict__ y, int rows, int K) {
  const int lane = threadIdx.x & 31;
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (r >= rows) return;
  const char4 *wv = reinterpret_cast<const char4 *>(w + r * K);
  const float4 *xv = reinterpret_cast<const float4 *>(x);
  float acc = 0.f;
  for (int i = lane; i < K / 4; i += 32) {
    char4 q = wv[i];
    float4 v = xv[i];
    acc += (float)q.x * v.x;
    acc += (float)q.y * v.y;
    acc += (float)q.z * v.z;
    acc += (float)q.w * v.w;
  }
#pragma unroll
  for (int off = 16; off > 0; off >>= 1) acc += __shfl_down_sync(0xffffffff, acc, off);
  if (lane == 0) y[r] = acc * scale[r];
}

__global__ void gemv_w8_x(const int8_t *__restrict__ w, const float *__restrict__ scale, const float *__restrict__ x,
                          float *__restrict__ y, int rows, int K) {
  const int lane = threadIdx.x & 31;
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
  if (r >= rows) return;
  const uchar4 *wv = reinterpret_cast<const uchar4 *>(w + r * K);
  const float4 *xv = reinterpret_cast<const float4 *>(x);
  float acc = 0.f;
  for (int i = lane; i < K / 4; i += 32) {
    uchar4 q = wv[i];
    float4 v = xv[i];
    acc += (float)q.x * v.x;
    acc += (float)q.y * v.y;
    acc += (float)q.z * v.z;
    acc += (float)q.w * v.w;
  }
#pragma unroll
  for (int off = 16; off > 0; off >>= 1) acc += __shfl_down_sync(0xffffffff, acc, off);
  if (lane == 0) y[r] = acc * scale[r];
}

void run_gemv_w8_a(const int8_t *w, const float *scale, const float *x, float *y, int rows, int K) {
  gemv_w8_a<<<(rows + 63) / 64, 64>>>(w, scale, x, y, rows, K);
}

void run_gemv_w8_b(const int8_t *w, const float *scale, const float *x, float *y, int rows, int K) {
  assert(K % 4 == 0);
  const int warps = 4;
  gemv_w8_b<<<(rows + warps - 1) / warps, warps * 32>>>(w, scale, x, y, rows, K);
}

void run_gemv_w8_x(const int8_t *w, const float *scale, const float *x, float *y, int rows, int K) {
  assert(K % 4 == 0);
  const int warps = 4;
  gemv_w8_x<<<(rows + warps - 1) / warps, warps * 32>>>(w, scale, x, y, rows, K);
}
