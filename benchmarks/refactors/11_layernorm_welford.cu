// equality: real. Two-pass layer norm (thread per row) against Welford with warp merge. X: the merge assumes both halves hold the same count (plain mean of means), wrong when C % 32 != 0.
#include <cuda_runtime.h>

#define CEIL_DIV(x, y) (((x) + (y) - 1) / (y))

__global__ void layernorm_fwd_a(const float *__restrict__ inp, const float *__restrict__ gamma,
                                const float *__restrict__ beta, float *__restrict__ out, int N, int C, float eps) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= N) return;
  const float *x = inp + idx * C;
  float m = 0.0f;
  for (int i = 0; i < C; i++) m += x[i];
  m = m / C;
  float v = 0.0f;
  for (int i = 0; i < C; i++) {
    float xshift = x[i] - m;
    v += xshift * xshift;
  }
  v = v / C;
  float s = 1.0f / sqrtf(v + eps);
  float *o = out + idx * C;
  for (int i = 0; i < C; i++) o[i] = s * (x[i] - m) * gamma[i] + beta[i];
}

__device__ __forceinline__ void welford_combine(float &mean, float &m2, float &cnt, float mean_o, float m2_o,
                                                float cnt_o) {
  float n = cnt + cnt_o;
  if (n == 0.0f) return;
  float delta = mean_o - mean;
  mean += delta * (cnt_o / n);
  m2 += m2_o + delta * delta * (cnt * cnt_o / n);
  cnt = n;
}

__device__ __forceinline__ void welford_combine_x(float &mean, float &m2, float &cnt, float mean_o, float m2_o,
                                                  float cnt_o) {
  float n = cnt + cnt_o;
  if (n == 0.0f) return;
  float delta = mean_o - mean;
  mean += delta * 0.5f;
  m2 += m2_o + delta * delta * (n * 0.25f);
  cnt = n;
}

__global__ void layernorm_fwd_b(const float *__restrict__ inp, const float *__restrict__ gamma,
                                const float *__restrict__ beta, float *__restrict__ out, int N, int C, float eps) {
  int lane = threadIdx.x & 31;
  int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  if (row >= N) return;
  const float *x = inp + row * C;
  float mean = 0.0f, m2 = 0.0f, cnt = 0.0f;
  for (int i = lane; i < C; i += 32) {
    float v = x[i];
    cnt += 1.0f;
    float d = v - mean;
    mean += d / cnt;
    m2 += d * (v - mean);
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    float mean_o = __shfl_xor_sync(0xffffffff, mean, offset);
    float m2_o = __shfl_xor_sync(0xffffffff, m2, offset);
    float cnt_o = __shfl_xor_sync(0xffffffff, cnt, offset);
    welford_combine(mean, m2, cnt, mean_o, m2_o, cnt_o);
  }
  float rstd = rsqrtf(m2 / C + eps);
  for (int i = lane; i < C; i += 32) out[row * C + i] = (x[i] - mean) * rstd * gamma[i] + beta[i];
}

__global__ void layernorm_fwd_x(const float *__restrict__ inp, const float *__restrict__ gamma,
                                const float *__restrict__ beta, float *__restrict__ out, int N, int C, float eps) {
  int lane = threadIdx.x & 31;
  int row = blockIdx.x * (blockDim.x >> 5) + (threadIdx.x >> 5);
  if (row >= N) return;
  const float *x = inp + row * C;
  float mean = 0.0f, m2 = 0.0f, cnt = 0.0f;
  for (int i = lane; i < C; i += 32) {
    float v = x[i];
    cnt += 1.0f;
    float d = v - mean;
    mean += d / cnt;
    m2 += d * (v - mean);
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) {
    float mean_o = __shfl_xor_sync(0xffffffff, mean, offset);
    float m2_o = __shfl_xor_sync(0xffffffff, m2, offset);
    float cnt_o = __shfl_xor_sync(0xffffffff, cnt, offset);
    welford_combine_x(mean, m2, cnt, mean_o, m2_o, cnt_o);
  }
  float rstd = rsqrtf(m2 / C + eps);
  for (int i = lane; i < C; i += 32) out[row * C + i] = (x[i] - mean) * rstd * gamma[i] + beta[i];
}

void run_layernorm_fwd_a(const float *inp, const float *gamma, const float *beta, float *out, int N, int C, float eps) {
  layernorm_fwd_a<<<CEIL_DIV(N, 64), 64>>>(inp, gamma, beta, out, N, C, eps);
}

void run_layernorm_fwd_b(const float *inp, const float *gamma, const float *beta, float *out, int N, int C, float eps) {
  const int block = 256;
  layernorm_fwd_b<<<CEIL_DIV(N * 32, block), block>>>(inp, gamma, beta, out, N, C, eps);
}

void run_layernorm_fwd_x(const float *inp, const float *gamma, const float *beta, float *out, int N, int C, float eps) {
  const int block = 256;
  layernorm_fwd_x<<<CEIL_DIV(N * 32, block), block>>>(inp, gamma, beta, out, N, C, eps);
}
