// equality: real. Three-pass safe softmax against one-pass online softmax, warp per row. X: m is overwritten before the rescale, so the running sum is not rescaled when the max grows (exp(m - mn) is exp(0)).
#include <cfloat>
#include <cuda_runtime.h>

#define WARP_SIZE 32

__global__ void online_softmax_a(float *out, const float *inp, int N, int C) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= N) return;
  const float *inp_row = inp + i * C;
  float *out_row = out + i * C;
  float maxval = -INFINITY;
  for (int j = 0; j < C; j++) {
    if (inp_row[j] > maxval) maxval = inp_row[j];
  }
  float sum = 0.0f;
  for (int j = 0; j < C; j++) sum += expf(inp_row[j] - maxval);
  for (int j = 0; j < C; j++) out_row[j] = expf(inp_row[j] - maxval) / sum;
}

__global__ void online_softmax_b(float *out, const float *inp, int N, int C) {
  int lane = threadIdx.x % WARP_SIZE;
  int warp = threadIdx.x / WARP_SIZE;
  int row = blockIdx.x * (blockDim.x / WARP_SIZE) + warp;
  if (row >= N) return;  // whole warp leaves
  const float *x = inp + row * C;
  float m = -FLT_MAX;
  float d = 0.0f;
  for (int j = lane; j < C; j += WARP_SIZE) {
    float v = x[j];
    float mn = fmaxf(m, v);
    d = d * expf(m - mn) + expf(v - mn);
    m = mn;
  }
#pragma unroll
  for (int offset = WARP_SIZE / 2; offset > 0; offset >>= 1) {
    float mo = __shfl_xor_sync(0xffffffff, m, offset);
    float dd = __shfl_xor_sync(0xffffffff, d, offset);
    float mn = fmaxf(m, mo);
    d = d * expf(m - mn) + dd * expf(mo - mn);
    m = mn;
  }
  float inv = 1.0f / d;
  for (int j = lane; j < C; j += WARP_SIZE) {
    out[row * C + j] = expf(x[j] - m) * inv;
  }
}

__global__ void online_softmax_x(float *out, const float *inp, int N, int C) {
  int lane = threadIdx.x % WARP_SIZE;
  int warp = threadIdx.x / WARP_SIZE;
  int row = blockIdx.x * (blockDim.x / WARP_SIZE) + warp;
  if (row >= N) return;  // whole warp leaves
  const float *x = inp + row * C;
  float m = -FLT_MAX;
  float d = 0.0f;
  for (int j = lane; j < C; j += WARP_SIZE) {
    float v = x[j];
    float mn = fmaxf(m, v);
    m = mn;
    d = d * expf(m - mn) + expf(v - mn);
  }
#pragma unroll
  for (int offset = WARP_SIZE / 2; offset > 0; offset >>= 1) {
    float mo = __shfl_xor_sync(0xffffffff, m, offset);
    float dd = __shfl_xor_sync(0xffffffff, d, offset);
    float mn = fmaxf(m, mo);
    d = d * expf(m - mn) + dd * expf(mo - mn);
    m = mn;
  }
  float inv = 1.0f / d;
  for (int j = lane; j < C; j += WARP_SIZE) {
    out[row * C + j] = expf(x[j] - m) * inv;
  }
}

void run_online_softmax_a(float *out, const float *inp, int N, int C) {
  const int block_size = 64;
  online_softmax_a<<<(N + block_size - 1) / block_size, block_size>>>(out, inp, N, C);
}

void run_online_softmax_b(float *out, const float *inp, int N, int C) {
  const int block_size = 128;
  const int rows_per_block = block_size / WARP_SIZE;
  online_softmax_b<<<(N + rows_per_block - 1) / rows_per_block, block_size>>>(out, inp, N, C);
}

void run_online_softmax_x(float *out, const float *inp, int N, int C) {
  const int block_size = 128;
  const int rows_per_block = block_size / WARP_SIZE;
  online_softmax_x<<<(N + rows_per_block - 1) / rows_per_block, block_size>>>(out, inp, N, C);
}
