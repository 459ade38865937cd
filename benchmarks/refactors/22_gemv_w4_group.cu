// equality: real. 4-bit weights, eight a word, zero point 8, a scale per group of G. X: group index of a word is (word * 4) / G instead of (word * 8) / G.
#include <cassert>
#include <cstdint>
#include <cuda_runtime.h>

#define WARP 32
#define PACK 8  // nibbles per uint32

__global__ void gemv_w4_a(const uint32_t *qweight, const float *scales, const float *x, float *y, int R, int K, int G) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= R) return;
  float sum = 0.f;
  for (int k = 0; k < K; k++) {
    uint32_t word = qweight[r * (K / PACK) + k / PACK];
    int q = (word >> (4 * (k % PACK))) & 0xF;
    float w = (float)(q - 8) * scales[r * (K / G) + k / G];
    sum += w * x[k];
  }
  y[r] = sum;
}

__global__ void gemv_w4_b(const uint32_t *qweight, const float *scales, const float *x, float *y, int R, int K, int G) {
  const int lane = threadIdx.x;
  const int r = blockIdx.x * blockDim.y + threadIdx.y;
  if (r >= R) return;
  const int words = K / PACK;
  const int groups = K / G;
  float sum = 0.f;
  for (int w = lane; w < words; w += WARP) {
    uint32_t packed = qweight[r * words + w];
    const float *xp = x + w * PACK;
    float part = 0.f;
#pragma unroll
    for (int i = 0; i < PACK; i++) {
      part += (float)((int)(packed & 0xF) - 8) * xp[i];
      packed >>= 4;
    }
    sum += part * scales[r * groups + (w * PACK) / G];
  }
#pragma unroll
  for (int m = WARP / 2; m >= 1; m /= 2) sum += __shfl_xor_sync(0xffffffff, sum, m);
  if (lane == 0) y[r] = sum;
}

__global__ void gemv_w4_x(const uint32_t *qweight, const float *scales, const float *x, float *y, int R, int K, int G) {
  const int lane = threadIdx.x;
  const int r = blockIdx.x * blockDim.y + threadIdx.y;
  if (r >= R) return;
  const int words = K / PACK;
  const int groups = K / G;
  float sum = 0.f;
  for (int w = lane; w < words; w += WARP) {
    uint32_t packed = qweight[r * words + w];
    const float *xp = x + w * PACK;
    float part = 0.f;
#pragma unroll
    for (int i = 0; i < PACK; i++) {
      part += (float)((int)(packed & 0xF) - 8) * xp[i];
      packed >>= 4;
    }
    sum += part * scales[r * groups + (w * PACK / 2) / G];
  }
#pragma unroll
  for (int m = WARP / 2; m >= 1; m /= 2) sum += __shfl_xor_sync(0xffffffff, sum, m);
  if (lane == 0) y[r] = sum;
}

void run_gemv_w4_a(const uint32_t *qweight, const float *scales, const float *x, float *y, int R, int K, int G) {
  assert(K % PACK == 0 && K % G == 0);
  gemv_w4_a<<<(R + 127) / 128, 128>>>(qweight, scales, x, y, R, K, G);
}

void run_gemv_w4_b(const uint32_t *qweight, const float *scales, const float *x, float *y, int R, int K, int G) {
  assert(G % PACK == 0);
  assert(K % G == 0);
  dim3 block(WARP, 4);
  gemv_w4_b<<<(R + 3) / 4, block>>>(qweight, scales, x, y, R, K, G);
}

void run_gemv_w4_x(const uint32_t *qweight, const float *scales, const float *x, float *y, int R, int K, int G) {
  assert(G % PACK == 0);
  assert(K % G == 0);
  dim3 block(WARP, 4);
  gemv_w4_x<<<(R + 3) / 4, block>>>(qweight, scales, x, y, R, K, G);
}
