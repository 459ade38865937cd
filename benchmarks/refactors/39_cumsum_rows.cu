// equality: real. Cumulative sum along rows, thread per row against block per row in chunks with a carry. X: the carry is set to the chunk's total instead of added to (wrong from the third chunk, C > 512).
#include <cuda_runtime.h>

__global__ void cumsum_rows_a(const float *x, float *y, int R, int C) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= R) return;
  float run = 0.0f;
  for (int c = 0; c < C; c++) {
    run += x[r * C + c];
    y[r * C + c] = run;
  }
}

template <int BLOCK>
__global__ void cumsum_rows_b(const float *x, float *y, int R, int C) {
  __shared__ float s[BLOCK];
  const int tid = threadIdx.x;
  const float *px = x + blockIdx.x * C;
  float *py = y + blockIdx.x * C;
  float carry = 0.0f;
  for (int c0 = 0; c0 < C; c0 += BLOCK) {
    const int c = c0 + tid;
    s[tid] = c < C ? px[c] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int d = 1; d < BLOCK; d <<= 1) {
      float t = tid >= d ? s[tid - d] : 0.0f;
      __syncthreads();
      s[tid] += t;
      __syncthreads();
    }
    if (c < C) py[c] = carry + s[tid];
    carry += s[BLOCK - 1];
    __syncthreads();
  }
}

template <int BLOCK>
__global__ void cumsum_rows_x(const float *x, float *y, int R, int C) {
  __shared__ float s[BLOCK];
  const int tid = threadIdx.x;
  const float *px = x + blockIdx.x * C;
  float *py = y + blockIdx.x * C;
  float carry = 0.0f;
  for (int c0 = 0; c0 < C; c0 += BLOCK) {
    const int c = c0 + tid;
    s[tid] = c < C ? px[c] : 0.0f;
    __syncthreads();
#pragma unroll
    for (int d = 1; d < BLOCK; d <<= 1) {
      float t = tid >= d ? s[tid - d] : 0.0f;
      __syncthreads();
      s[tid] += t;
      __syncthreads();
    }
    if (c < C) py[c] = carry + s[tid];
    carry = s[BLOCK - 1];
    __syncthreads();
  }
}

void run_cumsum_rows_a(const float *x, float *y, int R, int C) {
  cumsum_rows_a<<<(R + 63) / 64, 64>>>(x, y, R, C);
}

void run_cumsum_rows_b(const float *x, float *y, int R, int C) {
  cumsum_rows_b<256><<<R, 256>>>(x, y, R, C);
}

void run_cumsum_rows_x(const float *x, float *y, int R, int C) {
  cumsum_rows_x<256><<<R, 256>>>(x, y, R, C);
}
