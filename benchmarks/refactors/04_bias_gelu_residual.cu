// equality: bitwise. X: the third lane adds bias.y instead of bias.z.
#include <assert.h>
#include <cuda_runtime.h>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))
#define GELU_SCALING_FACTOR 0.7978845608028654f  // sqrt(2/pi)

__device__ __forceinline__ float gelu_tanh(float x) {
  float cube = 0.044715f * x * x * x;
  return 0.5f * x * (1.0f + tanhf(GELU_SCALING_FACTOR * (x + cube)));
}

// out = gelu(inp + bias) + residual, inp is (N, C)
__global__ void bias_gelu_residual_a(float *out, const float *inp, const float *bias,
                                     const float *residual, int N, int C) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < N * C) {
    int c = idx % C;
    out[idx] = gelu_tanh(inp[idx] + bias[c]) + residual[idx];
  }
}

__global__ void bias_gelu_residual_b(float *out, const float *inp, const float *bias,
                                     const float *residual, int N, int C) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // index of a float4
  int C4 = C / 4;
  if (i >= N * C4) return;
  float4 v = reinterpret_cast<const float4 *>(inp)[i];
  float4 b = reinterpret_cast<const float4 *>(bias)[i % C4];
  float4 r = reinterpret_cast<const float4 *>(residual)[i];
  float4 o;
  o.x = gelu_tanh(v.x + b.x) + r.x;
  o.y = gelu_tanh(v.y + b.y) + r.y;
  o.z = gelu_tanh(v.z + b.z) + r.z;
  o.w = gelu_tanh(v.w + b.w) + r.w;
  reinterpret_cast<float4 *>(out)[i] = o;
}

__global__ void bias_gelu_residual_x(float *out, const float *inp, const float *bias,
                                     const float *residual, int N, int C) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // index of a float4
  int C4 = C / 4;
  if (i >= N * C4) return;
  float4 v = reinterpret_cast<const float4 *>(inp)[i];
  float4 b = reinterpret_cast<const float4 *>(bias)[i % C4];
  float4 r = reinterpret_cast<const float4 *>(residual)[i];
  float4 o;
  o.x = gelu_tanh(v.x + b.x) + r.x;
  o.y = gelu_tanh(v.y + b.y) + r.y;
  o.z = gelu_tanh(v.z + b.y) + r.z;
  o.w = gelu_tanh(v.w + b.w) + r.w;
  reinterpret_cast<float4 *>(out)[i] = o;
}

void run_bias_gelu_residual_a(float *out, const float *inp, const float *bias, const float *residual, int N, int C) {
  const int block_size = 256;
  const int grid_size = CEIL_DIV(N * C, block_size);
  bias_gelu_residual_a<<<grid_size, block_size>>>(out, inp, bias, residual, N, C);
}

void run_bias_gelu_residual_b(float *out, const float *inp, const float *bias, const float *residual, int N, int C) {
  assert(C % 4 == 0);
  const int block_size = 128;
  const int grid_size = CEIL_DIV(N * C / 4, block_size);
  bias_gelu_residual_b<<<grid_size, block_size>>>(out, inp, bias, residual, N, C);
}

void run_bias_gelu_residual_x(float *out, const float *inp, const float *bias, const float *residual, int N, int C) {
  assert(C % 4 == 0);
  const int block_size = 128;
  const int grid_size = CEIL_DIV(N * C / 4, block_size);
  bias_gelu_residual_x<<<grid_size, block_size>>>(out, inp, bias, residual, N, C);
}
