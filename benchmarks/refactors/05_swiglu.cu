// equality: bitwise. X: one float4 per thread, no loop; columns at and past 4 * 256 of every token are not written (H > 1024).
#include <cassert>
#include <cuda_runtime.h>

__device__ __forceinline__ float silu(float x) { return x / (1.0f + expf(-x)); }

// x: [tokens, 2 * H], gate first then up.  out: [tokens, H]
__global__ void swiglu_a(float *__restrict__ out, const float *__restrict__ x, int tokens, int H) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= tokens * H) return;
  int t = idx / H;
  int h = idx % H;
  float g = x[t * 2 * H + h];
  float u = x[t * 2 * H + H + h];
  out[idx] = silu(g) * u;
}

__global__ void swiglu_b(float *__restrict__ out, const float *__restrict__ x, int tokens, int H) {
  const int t = blockIdx.x;
  const int vec = H / 4;
  const float4 *gate = reinterpret_cast<const float4 *>(x + t * 2 * H);
  const float4 *up = reinterpret_cast<const float4 *>(x + t * 2 * H + H);
  float4 *dst = reinterpret_cast<float4 *>(out + t * H);
  for (int i = threadIdx.x; i < vec; i += blockDim.x) {
    float4 g = gate[i];
    float4 u = up[i];
    dst[i] = make_float4(silu(g.x) * u.x, silu(g.y) * u.y, silu(g.z) * u.z, silu(g.w) * u.w);
  }
}

__global__ void swiglu_x(float *__restrict__ out, const float *__restrict__ x, int tokens, int H) {
  const int t = blockIdx.x;
  const int vec = H / 4;
  const float4 *gate = reinterpret_cast<const float4 *>(x + t * 2 * H);
  const float4 *up = reinterpret_cast<const float4 *>(x + t * 2 * H + H);
  float4 *dst = reinterpret_cast<float4 *>(out + t * H);
  int i = threadIdx.x;
  if (i < vec) {
    float4 g = gate[i];
    float4 u = up[i];
    dst[i] = make_float4(silu(g.x) * u.x, silu(g.y) * u.y, silu(g.z) * u.z, silu(g.w) * u.w);
  }
}

void run_swiglu_a(float *out, const float *x, int tokens, int H) {
  int n = tokens * H;
  swiglu_a<<<(n + 255) / 256, 256>>>(out, x, tokens, H);
}

void run_swiglu_b(float *out, const float *x, int tokens, int H) {
  assert(H % 4 == 0);
  swiglu_b<<<tokens, 256>>>(out, x, tokens, H);
}

void run_swiglu_x(float *out, const float *x, int tokens, int H) {
  assert(H % 4 == 0);
  swiglu_x<<<tokens, 256>>>(out, x, tokens, H);
}
