// equality: real. X: the warp butterfly stops at mask 2 (mask > 1), so odd lanes never reach lane 0.
#include <cuda_runtime.h>

#define WARP_SIZE 32

__global__ void row_sum_a(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int c = 0; c < cols; ++c) s += x[r * cols + c];
  y[r] = s;
}

template <const int kWarpSize = WARP_SIZE>
__device__ __forceinline__ float warp_reduce_sum(float val) {
#pragma unroll
  for (int mask = kWarpSize >> 1; mask >= 1; mask >>= 1) {
    val += __shfl_xor_sync(0xffffffff, val, mask);
  }
  return val;
}

template <const int kWarpSize = WARP_SIZE>
__device__ __forceinline__ float warp_reduce_sum_x(float val) {
#pragma unroll
  for (int mask = kWarpSize >> 1; mask > 1; mask >>= 1) {
    val += __shfl_xor_sync(0xffffffff, val, mask);
  }
  return val;
}

template <const int NUM_THREADS = 256>
__global__ void row_sum_b(const float *x, float *y, int rows, int cols) {
  constexpr int NUM_WARPS = (NUM_THREADS + WARP_SIZE - 1) / WARP_SIZE;
  __shared__ float reduce_smem[NUM_WARPS];
  int tid = threadIdx.x;
  int row = blockIdx.x;
  int warp = tid / WARP_SIZE;
  int lane = tid % WARP_SIZE;
  float sum = 0.0f;
  for (int c = tid; c < cols; c += NUM_THREADS) sum += x[row * cols + c];
  sum = warp_reduce_sum<WARP_SIZE>(sum);
  if (lane == 0) reduce_smem[warp] = sum;
  __syncthreads();
  sum = (lane < NUM_WARPS) ? reduce_smem[lane] : 0.0f;
  if (warp == 0) sum = warp_reduce_sum<NUM_WARPS>(sum);
  if (tid == 0) y[row] = sum;
}

template <const int NUM_THREADS = 256>
__global__ void row_sum_x(const float *x, float *y, int rows, int cols) {
  constexpr int NUM_WARPS = (NUM_THREADS + WARP_SIZE - 1) / WARP_SIZE;
  __shared__ float reduce_smem[NUM_WARPS];
  int tid = threadIdx.x;
  int row = blockIdx.x;
  int warp = tid / WARP_SIZE;
  int lane = tid % WARP_SIZE;
  float sum = 0.0f;
  for (int c = tid; c < cols; c += NUM_THREADS) sum += x[row * cols + c];
  sum = warp_reduce_sum_x<WARP_SIZE>(sum);
  if (lane == 0) reduce_smem[warp] = sum;
  __syncthreads();
  sum = (lane < NUM_WARPS) ? reduce_smem[lane] : 0.0f;
  if (warp == 0) sum = warp_reduce_sum<NUM_WARPS>(sum);
  if (tid == 0) y[row] = sum;
}

void run_row_sum_a(const float *x, float *y, int rows, int cols) {
  row_sum_a<<<(rows + 127) / 128, 128>>>(x, y, rows, cols);
}

void run_row_sum_b(const float *x, float *y, int rows, int cols) {
  row_sum_b<256><<<rows, 256>>>(x, y, rows, cols);
}

void run_row_sum_x(const float *x, float *y, int rows, int cols) {
  row_sum_x<256><<<rows, 256>>>(x, y, rows, cols);
}
