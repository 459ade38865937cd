// equality: real (same angle, powf written two ways). X: the position is the flat token index, not index % T, so every batch after the first is rotated too far.
#include <assert.h>
#include <cuda_runtime.h>

// q, out: (B, T, H, D); pairs are (2i, 2i+1)
__global__ void rope_a(const float *q, float *out, int B, int T, int H, int D, float theta) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  int half = D / 2;
  if (idx >= B * T * H * half) return;
  int i = idx % half;
  int h = (idx / half) % H;
  int t = (idx / (half * H)) % T;
  int b = idx / (half * H * T);
  float freq = powf(theta, -2.0f * i / D);
  float ang = t * freq;
  float c = cosf(ang);
  float s = sinf(ang);
  int base = ((b * T + t) * H + h) * D + 2 * i;
  float x0 = q[base];
  float x1 = q[base + 1];
  out[base] = x0 * c - x1 * s;
  out[base + 1] = x0 * s + x1 * c;
}

__global__ void rope_b(const float *q, float *out, int B, int T, int H, int D, float theta) {
  const int token = blockIdx.x;
  const int pos = token % T;
  const int half = D / 2;
  const int pairs = H * half;
  const float2 *src = reinterpret_cast<const float2 *>(q) + token * pairs;
  float2 *dst = reinterpret_cast<float2 *>(out) + token * pairs;
  for (int p = threadIdx.x; p < pairs; p += blockDim.x) {
    int i = p % half;
    float inv_freq = 1.0f / powf(theta, (float)(2 * i) / (float)D);
    float s, c;
    sincosf(pos * inv_freq, &s, &c);
    float2 v = src[p];
    dst[p] = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
  }
}

__global__ void rope_x(const float *q, float *out, int B, int T, int H, int D, float theta) {
  const int token = blockIdx.x;
  const int pos = token;
  const int half = D / 2;
  const int pairs = H * half;
  const float2 *src = reinterpret_cast<const float2 *>(q) + token * pairs;
  float2 *dst = reinterpret_cast<float2 *>(out) + token * pairs;
  for (int p = threadIdx.x; p < pairs; p += blockDim.x) {
    int i = p % half;
    float inv_freq = 1.0f / powf(theta, (float)(2 * i) / (float)D);
    float s, c;
    sincosf(pos * inv_freq, &s, &c);
    float2 v = src[p];
    dst[p] = make_float2(v.x * c - v.y * s, v.x * s + v.y * c);
  }
}

void run_rope_a(const float *q, float *out, int B, int T, int H, int D, float theta) {
  assert(D % 2 == 0);
  int total = B * T * H * (D / 2);
  rope_a<<<(total + 255) / 256, 256>>>(q, out, B, T, H, D, theta);
}

void run_rope_b(const float *q, float *out, int B, int T, int H, int D, float theta) {
  assert(D % 2 == 0);
  rope_b<<<B * T, 128>>>(q, out, B, T, H, D, theta);
}

void run_rope_x(const float *q, float *out, int B, int T, int H, int D, float theta) {
  assert(D % 2 == 0);
  rope_x<<<B * T, 128>>>(q, out, B, T, H, D, theta);
}
