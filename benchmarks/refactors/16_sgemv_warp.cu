// equality: real. X: the float4 index advances by 128 instead of 32 per step, so for K > 128 three quarters of the later columns are skipped.
#include <cassert>
#include <cuda_runtime.h>

#define WARP_SIZE 32
#define FLOAT4(value) (reinterpret_cast<float4 *>(&(value))[0])

template <const int kWarpSize = WARP_SIZE>
__device__ __forceinline__ float warp_reduce_sum_f32(float val) {
#pragma unroll
  for (int mask = kWarpSize >> 1; mask >= 1; mask >>= 1) val += __shfl_xor_sync(0xffffffff, val, mask);
  return val;
}

// y = A x, A: M x K
__global__ void sgemv_a(float *a, float *x, float *y, int M, int K) {
  int m = blockIdx.x * blockDim.x + threadIdx.x;
  if (m < M) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += a[m * K + k] * x[k];
    y[m] = sum;
  }
}

// grid(M/4), block(32,4), blockDim.x = 32 = K4 lanes, blockDim.y = 4
__global__ void sgemv_b(float *a, float *x, float *y, int M, int K) {
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int lane = tx % WARP_SIZE;
  int m = blockDim.y * blockIdx.x + ty;
  if (m < M) {
    float sum = 0.0f;
    for (int k4 = lane; k4 < K / 4; k4 += WARP_SIZE) {
      float4 reg_x = FLOAT4(x[k4 * 4]);
      float4 reg_a = FLOAT4(a[m * K + k4 * 4]);
      sum += (reg_a.x * reg_x.x + reg_a.y * reg_x.y + reg_a.z * reg_x.z + reg_a.w * reg_x.w);
    }
    sum = warp_reduce_sum_f32<WARP_SIZE>(sum);
    if (lane == 0) y[m] = sum;
  }
}

__global__ void sgemv_x(float *a, float *x, float *y, int M, int K) {
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int lane = tx % WARP_SIZE;
  int m = blockDim.y * blockIdx.x + ty;
  if (m < M) {
    float sum = 0.0f;
    for (int k4 = lane; k4 < K / 4; k4 += WARP_SIZE * 4) {
      float4 reg_x = FLOAT4(x[k4 * 4]);
      float4 reg_a = FLOAT4(a[m * K + k4 * 4]);
      sum += (reg_a.x * reg_x.x + reg_a.y * reg_x.y + reg_a.z * reg_x.z + reg_a.w * reg_x.w);
    }
    sum = warp_reduce_sum_f32<WARP_SIZE>(sum);
    if (lane == 0) y[m] = sum;
  }
}

void run_sgemv_a(float *a, float *x, float *y, int M, int K) {
  sgemv_a<<<(M + 127) / 128, 128>>>(a, x, y, M, K);
}

void run_sgemv_b(float *a, float *x, float *y, int M, int K) {
  assert(K % 4 == 0);
  dim3 block(32, 4);
  dim3 grid((M + 4 - 1) / 4);
  sgemv_b<<<grid, block>>>(a, x, y, M, K);
}

void run_sgemv_x(float *a, float *x, float *y, int M, int K) {
  assert(K % 4 == 0);
  dim3 block(32, 4);
  dim3 grid((M + 4 - 1) / 4);
  sgemv_x<<<grid, block>>>(a, x, y, M, K);
}
