// equality: real. Attention forward, thread per query: three passes against online softmax over shared K/V tiles. X: the accumulator is not rescaled when the running max grows (the denominator is).
#include <cuda_runtime.h>

#define BKV 32

// Q, K, V, O: (BH, T, D)
template <int D>
__global__ void attn_fwd_a(const float *__restrict__ Q, const float *__restrict__ K, const float *__restrict__ V,
                           float *__restrict__ O, int T, float scale) {
  const int qi = blockIdx.x * blockDim.x + threadIdx.x;
  const int base = blockIdx.y * T * D;
  if (qi >= T) return;
  float mx = -INFINITY;
  for (int j = 0; j < T; j++) {
    float s = 0.f;
    for (int d = 0; d < D; d++) s += Q[base + qi * D + d] * K[base + j * D + d];
    mx = fmaxf(mx, s * scale);
  }
  float denom = 0.f;
  for (int j = 0; j < T; j++) {
    float s = 0.f;
    for (int d = 0; d < D; d++) s += Q[base + qi * D + d] * K[base + j * D + d];
    denom += expf(s * scale - mx);
  }
  float acc[D];
  for (int d = 0; d < D; d++) acc[d] = 0.f;
  for (int j = 0; j < T; j++) {
    float s = 0.f;
    for (int d = 0; d < D; d++) s += Q[base + qi * D + d] * K[base + j * D + d];
    float p = expf(s * scale - mx) / denom;
    for (int d = 0; d < D; d++) acc[d] += p * V[base + j * D + d];
  }
  for (int d = 0; d < D; d++) O[base + qi * D + d] = acc[d];
}

template <int D>
__global__ void attn_fwd_b(const float *__restrict__ Q, const float *__restrict__ K, const float *__restrict__ V,
                           float *__restrict__ O, int T, float scale) {
  __shared__ float sK[BKV * D];
  __shared__ float sV[BKV * D];
  const int qi = blockIdx.x * blockDim.x + threadIdx.x;
  const int base = blockIdx.y * T * D;
  const bool active = qi < T;

  float q[D], acc[D];
#pragma unroll
  for (int d = 0; d < D; d++) {
    q[d] = active ? Q[base + qi * D + d] : 0.f;
    acc[d] = 0.f;
  }
  float m = -INFINITY, l = 0.f;

  for (int j0 = 0; j0 < T; j0 += BKV) {
    const int nk = min(BKV, T - j0);
    for (int i = threadIdx.x; i < nk * D; i += blockDim.x) {
      sK[i] = K[base + j0 * D + i];
      sV[i] = V[base + j0 * D + i];
    }
    __syncthreads();
    if (active) {
      for (int j = 0; j < nk; j++) {
        float s = 0.f;
#pragma unroll
        for (int d = 0; d < D; d++) s += q[d] * sK[j * D + d];
        s *= scale;
        const float m_new = fmaxf(m, s);
        const float corr = expf(m - m_new);
        const float p = expf(s - m_new);
        l = l * corr + p;
#pragma unroll
        for (int d = 0; d < D; d++) acc[d] = acc[d] * corr + p * sV[j * D + d];
        m = m_new;
      }
    }
    __syncthreads();
  }
  if (active) {
    const float inv = 1.f / l;
#pragma unroll
    for (int d = 0; d < D; d++) O[base + qi * D + d] = acc[d] * inv;
  }
}

template <int D>
__global__ void attn_fwd_x(const float *__restrict__ Q, const float *__restrict__ K, const float *__restrict__ V,
                           float *__restrict__ O, int T, float scale) {
  __shared__ float sK[BKV * D];
  __shared__ float sV[BKV * D];
  const int qi = blockIdx.x * blockDim.x + threadIdx.x;
  const int base = blockIdx.y * T * D;
  const bool active = qi < T;

  float q[D], acc[D];
#pragma unroll
  for (int d = 0; d < D; d++) {
    q[d] = active ? Q[base + qi * D + d] : 0.f;
    acc[d] = 0.f;
  }
  float m = -INFINITY, l = 0.f;

  for (int j0 = 0; j0 < T; j0 += BKV) {
    const int nk = min(BKV, T - j0);
    for (int i = threadIdx.x; i < nk * D; i += blockDim.x) {
      sK[i] = K[base + j0 * D + i];
      sV[i] = V[base + j0 * D + i];
    }
    __syncthreads();
    if (active) {
      for (int j = 0; j < nk; j++) {
        float s = 0.f;
#pragma unroll
        for (int d = 0; d < D; d++) s += q[d] * sK[j * D + d];
        s *= scale;
        const float m_new = fmaxf(m, s);
        const float corr = expf(m - m_new);
        const float p = expf(s - m_new);
        l = l * corr + p;
#pragma unroll
        for (int d = 0; d < D; d++) acc[d] = acc[d] + p * sV[j * D + d];
        m = m_new;
      }
    }
    __syncthreads();
  }
  if (active) {
    const float inv = 1.f / l;
#pragma unroll
    for (int d = 0; d < D; d++) O[base + qi * D + d] = acc[d] * inv;
  }
}

void run_attn_fwd_a(const float *Q, const float *K, const float *V, float *O, int BH, int T, float scale) {
  dim3 grid((T + 63) / 64, BH);
  attn_fwd_a<64><<<grid, 64>>>(Q, K, V, O, T, scale);
}

void run_attn_fwd_b(const float *Q, const float *K, const float *V, float *O, int BH, int T, float scale) {
  dim3 grid((T + 63) / 64, BH);
  attn_fwd_b<64><<<grid, 64>>>(Q, K, V, O, T, scale);
}

void run_attn_fwd_x(const float *Q, const float *K, const float *V, float *O, int BH, int T, float scale) {
  dim3 grid((T + 63) / 64, BH);
  attn_fwd_x<64><<<grid, 64>>>(Q, K, V, O, T, scale);
}
