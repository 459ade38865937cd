// equality: real. X: eps is added outside the square root.
#include <cassert>
#include <cuda_runtime.h>

__global__ void rmsnorm_a(float *o, const float *x, const float *weight, int rows, int size, float eps) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) {
    float ss = 0.0f;
    for (int j = 0; j < size; j++) ss += x[r * size + j] * x[r * size + j];
    ss /= size;
    ss += eps;
    ss = 1.0f / sqrtf(ss);
    for (int j = 0; j < size; j++) o[r * size + j] = weight[j] * (ss * x[r * size + j]);
  }
}

template <int BLOCK>
__global__ void rmsnorm_b(float *o, const float *x, const float *weight, int rows, int size, float eps) {
  __shared__ float warp_ss[BLOCK / 32];
  __shared__ float s_scale;
  const int nvec = size / 4;
  const float4 *xv = reinterpret_cast<const float4 *>(x) + blockIdx.x * nvec;
  const float4 *wv = reinterpret_cast<const float4 *>(weight);
  float4 *ov = reinterpret_cast<float4 *>(o) + blockIdx.x * nvec;
  float ss = 0.0f;
  for (int i = threadIdx.x; i < nvec; i += BLOCK) {
    float4 v = xv[i];
    ss += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) ss += __shfl_xor_sync(0xffffffff, ss, mask);
  if (threadIdx.x % 32 == 0) warp_ss[threadIdx.x / 32] = ss;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.0f;
#pragma unroll
    for (int w = 0; w < BLOCK / 32; w++) total += warp_ss[w];
    s_scale = rsqrtf(total / size + eps);
  }
  __syncthreads();
  const float scale = s_scale;
  for (int i = threadIdx.x; i < nvec; i += BLOCK) {
    float4 v = xv[i];
    float4 w = wv[i];
    v.x = v.x * scale * w.x;
    v.y = v.y * scale * w.y;
    v.z = v.z * scale * w.z;
    v.w = v.w * scale * w.w;
    ov[i] = v;
  }
}

template <int BLOCK>
__global__ void rmsnorm_x(float *o, const float *x, const float *weight, int rows, int size, float eps) {
  __shared__ float warp_ss[BLOCK / 32];
  __shared__ float s_scale;
  const int nvec = size / 4;
  const float4 *xv = reinterpret_cast<const float4 *>(x) + blockIdx.x * nvec;
  const float4 *wv = reinterpret_cast<const float4 *>(weight);
  float4 *ov = reinterpret_cast<float4 *>(o) + blockIdx.x * nvec;
  float ss = 0.0f;
  for (int i = threadIdx.x; i < nvec; i += BLOCK) {
    float4 v = xv[i];
    ss += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1) ss += __shfl_xor_sync(0xffffffff, ss, mask);
  if (threadIdx.x % 32 == 0) warp_ss[threadIdx.x / 32] = ss;
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0.0f;
#pragma unroll
    for (int w = 0; w < BLOCK / 32; w++) total += warp_ss[w];
    s_scale = 1.0f / (sqrtf(total / size) + eps);
  }
  __syncthreads();
  const float scale = s_scale;
  for (int i = threadIdx.x; i < nvec; i += BLOCK) {
    float4 v = xv[i];
    float4 w = wv[i];
    v.x = v.x * scale * w.x;
    v.y = v.y * scale * w.y;
    v.z = v.z * scale * w.z;
    v.w = v.w * scale * w.w;
    ov[i] = v;
  }
}

void run_rmsnorm_a(float *o, const float *x, const float *weight, int rows, int size, float eps) {
  rmsnorm_a<<<(rows + 31) / 32, 32>>>(o, x, weight, rows, size, eps);
}

void run_rmsnorm_b(float *o, const float *x, const float *weight, int rows, int size, float eps) {
  assert(size % 4 == 0);
  rmsnorm_b<128><<<rows, 128>>>(o, x, weight, rows, size, eps);
}

void run_rmsnorm_x(float *o, const float *x, const float *weight, int rows, int size, float eps) {
  assert(size % 4 == 0);
  rmsnorm_x<128><<<rows, 128>>>(o, x, weight, rows, size, eps);
}
