// equality: bitwise. X: the window end is computed from the clamped start, so windows that begin in the padding reach too far.
#include <cassert>
#include <cuda_runtime.h>

// x: (P, H, W) planes; kernel k, stride s, pad p; OH, OW are derived
__global__ void maxpool2d_a(const float *x, float *y, int P, int H, int W, int k, int s, int p) {
  int OH = (H + 2 * p - k) / s + 1;
  int OW = (W + 2 * p - k) / s + 1;
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= P * OH * OW) return;
  int ow = idx % OW;
  int oh = (idx / OW) % OH;
  int plane = idx / (OW * OH);
  float best = -INFINITY;
  for (int i = 0; i < k; i++) {
    for (int j = 0; j < k; j++) {
      int h = oh * s - p + i;
      int w = ow * s - p + j;
      if (h >= 0 && h < H && w >= 0 && w < W) best = fmaxf(best, x[(plane * H + h) * W + w]);
    }
  }
  y[idx] = best;
}

__global__ void maxpool2d_b(const float *x, float *y, int P, int H, int W, int k, int s, int p) {
  const int OH = (H + 2 * p - k) / s + 1;
  const int OW = (W + 2 * p - k) / s + 1;
  const int ow = blockIdx.x * blockDim.x + threadIdx.x;
  const int oh = blockIdx.y * blockDim.y + threadIdx.y;
  const int plane = blockIdx.z;
  if (ow >= OW || oh >= OH) return;
  int hstart = oh * s - p;
  int wstart = ow * s - p;
  const int hend = min(hstart + k, H);
  const int wend = min(wstart + k, W);
  hstart = max(hstart, 0);
  wstart = max(wstart, 0);
  const float *xp = x + plane * H * W;
  float best = -INFINITY;
  for (int h = hstart; h < hend; ++h)
    for (int w = wstart; w < wend; ++w) best = fmaxf(best, xp[h * W + w]);
  y[(plane * OH + oh) * OW + ow] = best;
}

__global__ void maxpool2d_x(const float *x, float *y, int P, int H, int W, int k, int s, int p) {
  const int OH = (H + 2 * p - k) / s + 1;
  const int OW = (W + 2 * p - k) / s + 1;
  const int ow = blockIdx.x * blockDim.x + threadIdx.x;
  const int oh = blockIdx.y * blockDim.y + threadIdx.y;
  const int plane = blockIdx.z;
  if (ow >= OW || oh >= OH) return;
  const int hstart = max(oh * s - p, 0);
  const int wstart = max(ow * s - p, 0);
  const int hend = min(hstart + k, H);
  const int wend = min(wstart + k, W);
  const float *xp = x + plane * H * W;
  float best = -INFINITY;
  for (int h = hstart; h < hend; ++h)
    for (int w = wstart; w < wend; ++w) best = fmaxf(best, xp[h * W + w]);
  y[(plane * OH + oh) * OW + ow] = best;
}

void run_maxpool2d_a(const float *x, float *y, int P, int H, int W, int k, int s, int p) {
  assert(2 * p <= k && H + 2 * p >= k && W + 2 * p >= k);
  int OH = (H + 2 * p - k) / s + 1, OW = (W + 2 * p - k) / s + 1;
  int total = P * OH * OW;
  maxpool2d_a<<<(total + 127) / 128, 128>>>(x, y, P, H, W, k, s, p);
}

void run_maxpool2d_b(const float *x, float *y, int P, int H, int W, int k, int s, int p) {
  assert(2 * p <= k && H + 2 * p >= k && W + 2 * p >= k);
  int OH = (H + 2 * p - k) / s + 1, OW = (W + 2 * p - k) / s + 1;
  dim3 block(16, 8);
  dim3 grid((OW + 15) / 16, (OH + 7) / 8, P);
  maxpool2d_b<<<grid, block>>>(x, y, P, H, W, k, s, p);
}

void run_maxpool2d_x(const float *x, float *y, int P, int H, int W, int k, int s, int p) {
  assert(2 * p <= k && H + 2 * p >= k && W + 2 * p >= k);
  int OH = (H + 2 * p - k) / s + 1, OW = (W + 2 * p - k) / s + 1;
  dim3 block(16, 8);
  dim3 grid((OW + 15) / 16, (OH + 7) / 8, P);
  maxpool2d_x<<<grid, block>>>(x, y, P, H, W, k, s, p);
}
