// equality: real. X: the first mean sums dout instead of dout * weight.
#include <cuda_runtime.h>

__global__ void layernorm_bwd_dx_a(float *dinp, const float *dout, const float *inp, const float *weight,
                                   const float *mean, const float *rstd, int N, int C) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= N) return;
  const float *dout_bt = dout + row * C;
  const float *inp_bt = inp + row * C;
  float *dinp_bt = dinp + row * C;
  float mean_bt = mean[row];
  float rstd_bt = rstd[row];
  float dnorm_mean = 0.0f;
  float dnorm_norm_mean = 0.0f;
  for (int i = 0; i < C; i++) {
    float norm_bti = (inp_bt[i] - mean_bt) * rstd_bt;
    float dnorm_i = weight[i] * dout_bt[i];
    dnorm_mean += dnorm_i;
    dnorm_norm_mean += dnorm_i * norm_bti;
  }
  dnorm_mean = dnorm_mean / C;
  dnorm_norm_mean = dnorm_norm_mean / C;
  for (int i = 0; i < C; i++) {
    float norm_bti = (inp_bt[i] - mean_bt) * rstd_bt;
    float dnorm_i = weight[i] * dout_bt[i];
    float dval = 0.0f;
    dval += dnorm_i;
    dval -= dnorm_mean;
    dval -= norm_bti * dnorm_norm_mean;
    dval *= rstd_bt;
    dinp_bt[i] = dval;
  }
}

__device__ inline float warp_sum(float v) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffff, v, offset);
  return v;
}

__global__ void layernorm_bwd_dx_b(float *dinp, const float *dout, const float *inp, const float *weight,
                                   const float *mean, const float *rstd, int N, int C) {
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= N) return;
  const float mu = mean[row];
  const float rs = rstd[row];
  float s1 = 0.0f, s2 = 0.0f;
  for (int i = lane; i < C; i += 32) {
    const float dn = weight[i] * dout[row * C + i];
    s1 += dn;
    s2 += dn * (inp[row * C + i] - mu) * rs;
  }
  s1 = warp_sum(s1) / C;
  s2 = warp_sum(s2) / C;
  for (int i = lane; i < C; i += 32) {
    const float norm = (inp[row * C + i] - mu) * rs;
    const float dn = weight[i] * dout[row * C + i];
    dinp[row * C + i] = rs * (dn - s1 - norm * s2);
  }
}

__global__ void layernorm_bwd_dx_x(float *dinp, const float *dout, const float *inp, const float *weight,
                                   const float *mean, const float *rstd, int N, int C) {
  const int lane = threadIdx.x;
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= N) return;
  const float mu = mean[row];
  const float rs = rstd[row];
  float s1 = 0.0f, s2 = 0.0f;
  for (int i = lane; i < C; i += 32) {
    const float dn = weight[i] * dout[row * C + i];
    s1 += dout[row * C + i];
    s2 += dn * (inp[row * C + i] - mu) * rs;
  }
  s1 = warp_sum(s1) / C;
  s2 = warp_sum(s2) / C;
  for (int i = lane; i < C; i += 32) {
    const float norm = (inp[row * C + i] - mu) * rs;
    const float dn = weight[i] * dout[row * C + i];
    dinp[row * C + i] = rs * (dn - s1 - norm * s2);
  }
}

void run_layernorm_bwd_dx_a(float *dinp, const float *dout, const float *inp, const float *weight, const float *mean,
                            const float *rstd, int N, int C) {
  layernorm_bwd_dx_a<<<(N + 31) / 32, 32>>>(dinp, dout, inp, weight, mean, rstd, N, C);
}

void run_layernorm_bwd_dx_b(float *dinp, const float *dout, const float *inp, const float *weight, const float *mean,
                            const float *rstd, int N, int C) {
  dim3 block(32, 4);
  layernorm_bwd_dx_b<<<(N + 3) / 4, block>>>(dinp, dout, inp, weight, mean, rstd, N, C);
}

void run_layernorm_bwd_dx_x(float *dinp, const float *dout, const float *inp, const float *weight, const float *mean,
                            const float *rstd, int N, int C) {
  dim3 block(32, 4);
  layernorm_bwd_dx_x<<<(N + 3) / 4, block>>>(dinp, dout, inp, weight, mean, rstd, N, C);
}
