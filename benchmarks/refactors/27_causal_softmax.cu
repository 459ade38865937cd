// equality: real. X: the causal bound uses the flat row over all heads (min(row + 1, T)), so from the second head on nothing is masked.
#include <cuda_runtime.h>

// att, out: (BH, T, T); softmax of scale * att over j <= t, zeros for j > t
__global__ void causal_softmax_a(const float *att, float *out, float scale, int BH, int T) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= BH * T) return;
  int t = idx % T;
  int bh = idx / T;
  const float *a = att + bh * T * T + t * T;
  float *o = out + bh * T * T + t * T;
  float maxval = -INFINITY;
  for (int j = 0; j <= t; j++) maxval = fmaxf(maxval, scale * a[j]);
  float expsum = 0.0f;
  for (int j = 0; j <= t; j++) expsum += expf(scale * a[j] - maxval);
  float inv = 1.0f / expsum;
  for (int j = 0; j < T; j++) {
    if (j <= t) {
      o[j] = expf(scale * a[j] - maxval) * inv;
    } else {
      o[j] = 0.0f;
    }
  }
}

template <int WARPS>
__global__ void causal_softmax_b(const float *att, float *out, float scale, int BH, int T) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * WARPS + threadIdx.x / 32;
  if (row >= BH * T) return;
  const float *a = att + row * T;
  float *o = out + row * T;
  const int len = row % T + 1;  // number of visible keys
  float m = -INFINITY;
  for (int j = lane; j < len; j += 32) m = fmaxf(m, scale * a[j]);
#pragma unroll
  for (int off = 16; off; off >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, off));
  float l = 0.0f;
  for (int j = lane; j < len; j += 32) l += expf(scale * a[j] - m);
#pragma unroll
  for (int off = 16; off; off >>= 1) l += __shfl_xor_sync(~0u, l, off);
  const float inv = 1.0f / l;
  for (int j = lane; j < T; j += 32) o[j] = j < len ? expf(scale * a[j] - m) * inv : 0.0f;
}

template <int WARPS>
__global__ void causal_softmax_x(const float *att, float *out, float scale, int BH, int T) {
  const int lane = threadIdx.x % 32;
  const int row = blockIdx.x * WARPS + threadIdx.x / 32;
  if (row >= BH * T) return;
  const float *a = att + row * T;
  float *o = out + row * T;
  const int len = min(row + 1, T);  // number of visible keys
  float m = -INFINITY;
  for (int j = lane; j < len; j += 32) m = fmaxf(m, scale * a[j]);
#pragma unroll
  for (int off = 16; off; off >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, off));
  float l = 0.0f;
  for (int j = lane; j < len; j += 32) l += expf(scale * a[j] - m);
#pragma unroll
  for (int off = 16; off; off >>= 1) l += __shfl_xor_sync(~0u, l, off);
  const float inv = 1.0f / l;
  for (int j = lane; j < T; j += 32) o[j] = j < len ? expf(scale * a[j] - m) * inv : 0.0f;
}

void run_causal_softmax_a(const float *att, float *out, float scale, int BH, int T) {
  causal_softmax_a<<<(BH * T + 63) / 64, 64>>>(att, out, scale, BH, T);
}

void run_causal_softmax_b(const float *att, float *out, float scale, int BH, int T) {
  causal_softmax_b<4><<<(BH * T + 3) / 4, 128>>>(att, out, scale, BH, T);
}

void run_causal_softmax_x(const float *att, float *out, float scale, int BH, int T) {
  causal_softmax_x<4><<<(BH * T + 3) / 4, 128>>>(att, out, scale, BH, T);
}
