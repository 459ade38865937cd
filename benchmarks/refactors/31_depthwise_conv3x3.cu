// equality: bitwise (same order of taps). X: the channel for the weights is plane / N instead of plane % C (right only for N = 1 or C = 1).
#include <cuda_runtime.h>

// x: NCHW, w: (C, 3, 3), stride 1, pad 1
__global__ void dwconv3x3_a(const float *x, const float *w, float *y, int N, int C, int H, int W) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx >= N * C * H * W) return;
  int ow = idx % W;
  int oh = (idx / W) % H;
  int c = (idx / (W * H)) % C;
  int n = idx / (W * H * C);
  float acc = 0.f;
  for (int kh = 0; kh < 3; kh++) {
    for (int kw = 0; kw < 3; kw++) {
      int ih = oh + kh - 1;
      int iw = ow + kw - 1;
      if (ih >= 0 && ih < H && iw >= 0 && iw < W)
        acc += x[((n * C + c) * H + ih) * W + iw] * w[c * 9 + kh * 3 + kw];
    }
  }
  y[idx] = acc;
}

__global__ void dwconv3x3_b(const float *x, const float *w, float *y, int N, int C, int H, int W) {
  const int plane = blockIdx.z;
  const int c = plane % C;
  __shared__ float ws[9];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  if (tid < 9) ws[tid] = w[c * 9 + tid];
  __syncthreads();
  const int ow = blockIdx.x * blockDim.x + threadIdx.x;
  const int oh = blockIdx.y * blockDim.y + threadIdx.y;
  if (ow >= W || oh >= H) return;
  const float *xp = x + plane * H * W;
  float acc = 0.f;
#pragma unroll
  for (int kh = 0; kh < 3; kh++) {
    const int ih = oh + kh - 1;
    if (ih < 0 || ih >= H) continue;
#pragma unroll
    for (int kw = 0; kw < 3; kw++) {
      const int iw = ow + kw - 1;
      if (iw < 0 || iw >= W) continue;
      acc += xp[ih * W + iw] * ws[kh * 3 + kw];
    }
  }
  y[plane * H * W + oh * W + ow] = acc;
}

__global__ void dwconv3x3_x(const float *x, const float *w, float *y, int N, int C, int H, int W) {
  const int plane = blockIdx.z;
  const int c = plane / N;
  __shared__ float ws[9];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  if (tid < 9) ws[tid] = w[c * 9 + tid];
  __syncthreads();
  const int ow = blockIdx.x * blockDim.x + threadIdx.x;
  const int oh = blockIdx.y * blockDim.y + threadIdx.y;
  if (ow >= W || oh >= H) return;
  const float *xp = x + plane * H * W;
  float acc = 0.f;
#pragma unroll
  for (int kh = 0; kh < 3; kh++) {
    const int ih = oh + kh - 1;
    if (ih < 0 || ih >= H) continue;
#pragma unroll
    for (int kw = 0; kw < 3; kw++) {
      const int iw = ow + kw - 1;
      if (iw < 0 || iw >= W) continue;
      acc += xp[ih * W + iw] * ws[kh * 3 + kw];
    }
  }
  y[plane * H * W + oh * W + ow] = acc;
}

void run_dwconv3x3_a(const float *x, const float *w, float *y, int N, int C, int H, int W) {
  int total = N * C * H * W;
  dwconv3x3_a<<<(total + 255) / 256, 256>>>(x, w, y, N, C, H, W);
}

void run_dwconv3x3_b(const float *x, const float *w, float *y, int N, int C, int H, int W) {
  dim3 block(32, 4);
  dim3 grid((W + 31) / 32, (H + 3) / 4, N * C);
  dwconv3x3_b<<<grid, block>>>(x, w, y, N, C, H, W);
}

void run_dwconv3x3_x(const float *x, const float *w, float *y, int N, int C, int H, int W) {
  dim3 block(32, 4);
  dim3 grid((W + 31) / 32, (H + 3) / 4, N * C);
  dwconv3x3_x<<<grid, block>>>(x, w, y, N, C, H, W);
}
