// equality: real. Block per row, scalar with tree in shared memory, against float4 with shuffles. X: the denominator is only the warp's sum, not the block's (right for C <= 128 only).
#include <assert.h>
#include <cuda_runtime.h>

#define FULL_MASK 0xffffffffu

__global__ void softmax_vec4_a(const float *x, float *y, int rows, int C) {
  extern __shared__ float buf[];
  int tid = threadIdx.x;
  const float *px = x + blockIdx.x * C;
  float mx = -INFINITY;
  for (int i = tid; i < C; i += blockDim.x) mx = fmaxf(mx, px[i]);
  buf[tid] = mx;
  for (int s = blockDim.x >> 1; s > 0; s >>= 1) {
    __syncthreads();
    if (tid < s) buf[tid] = fmaxf(buf[tid], buf[tid + s]);
  }
  __syncthreads();
  mx = buf[0];
  __syncthreads();
  float sum = 0.f;
  for (int i = tid; i < C; i += blockDim.x) sum += __expf(px[i] - mx);
  buf[tid] = sum;
  for (int s = blockDim.x >> 1; s > 0; s >>= 1) {
    __syncthreads();
    if (tid < s) buf[tid] += buf[tid + s];
  }
  __syncthreads();
  sum = buf[0];
  for (int i = tid; i < C; i += blockDim.x) y[blockIdx.x * C + i] = __expf(px[i] - mx) / sum;
}

__device__ __forceinline__ float warpMax(float v) {
  for (int o = 16; o > 0; o >>= 1) v = fmaxf(v, __shfl_xor_sync(FULL_MASK, v, o));
  return v;
}

__device__ __forceinline__ float warpSum(float v) {
  for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(FULL_MASK, v, o);
  return v;
}

template <int NUM_WARPS>
__device__ float blockMax(float v, float *red) {
  int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  v = warpMax(v);
  if (lane == 0) red[warp] = v;
  __syncthreads();
  v = lane < NUM_WARPS ? red[lane] : -INFINITY;
  v = warpMax(v);
  __syncthreads();
  return v;
}

template <int NUM_WARPS>
__device__ float blockSum(float v, float *red) {
  int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
  v = warpSum(v);
  if (lane == 0) red[warp] = v;
  __syncthreads();
  v = lane < NUM_WARPS ? red[lane] : 0.f;
  v = warpSum(v);
  __syncthreads();
  return v;
}

template <int BLOCK>
__global__ void softmax_vec4_b(const float *x, float *y, int rows, int C) {
  __shared__ float red[BLOCK / 32];
  const float4 *px = reinterpret_cast<const float4 *>(x + blockIdx.x * C);
  float4 *py = reinterpret_cast<float4 *>(y + blockIdx.x * C);
  const int n4 = C / 4;
  float mx = -INFINITY;
  for (int i = threadIdx.x; i < n4; i += BLOCK) {
    float4 v = px[i];
    mx = fmaxf(mx, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
  }
  mx = blockMax<BLOCK / 32>(mx, red);
  float sum = 0.f;
  for (int i = threadIdx.x; i < n4; i += BLOCK) {
    float4 v = px[i];
    sum += __expf(v.x - mx) + __expf(v.y - mx) + __expf(v.z - mx) + __expf(v.w - mx);
  }
  sum = blockSum<BLOCK / 32>(sum, red);
  const float inv = 1.f / sum;
  for (int i = threadIdx.x; i < n4; i += BLOCK) {
    float4 v = px[i];
    v.x = __expf(v.x - mx) * inv;
    v.y = __expf(v.y - mx) * inv;
    v.z = __expf(v.z - mx) * inv;
    v.w = __expf(v.w - mx) * inv;
    py[i] = v;
  }
}

template <int BLOCK>
__global__ void softmax_vec4_x(const float *x, float *y, int rows, int C) {
  __shared__ float red[BLOCK / 32];
  const float4 *px = reinterpret_cast<const float4 *>(x + blockIdx.x * C);
  float4 *py = reinterpret_cast<float4 *>(y + blockIdx.x * C);
  const int n4 = C / 4;
  float mx = -INFINITY;
  for (int i = threadIdx.x; i < n4; i += BLOCK) {
    float4 v = px[i];
    mx = fmaxf(mx, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
  }
  mx = blockMax<BLOCK / 32>(mx, red);
  float sum = 0.f;
  for (int i = threadIdx.x; i < n4; i += BLOCK) {
    float4 v = px[i];
    sum += __expf(v.x - mx) + __expf(v.y - mx) + __expf(v.z - mx) + __expf(v.w - mx);
  }
  sum = warpSum(sum);
  const float inv = 1.f / sum;
  for (int i = threadIdx.x; i < n4; i += BLOCK) {
    float4 v = px[i];
    v.x = __expf(v.x - mx) * inv;
    v.y = __expf(v.y - mx) * inv;
    v.z = __expf(v.z - mx) * inv;
    v.w = __expf(v.w - mx) * inv;
    py[i] = v;
  }
}

void run_softmax_vec4_a(const float *x, float *y, int rows, int C) {
  int threads = 256;
  softmax_vec4_a<<<rows, threads, threads * sizeof(float)>>>(x, y, rows, C);
}

void run_softmax_vec4_b(const float *x, float *y, int rows, int C) {
  assert(C % 4 == 0);
  softmax_vec4_b<128><<<rows, 128>>>(x, y, rows, C);
}

void run_softmax_vec4_x(const float *x, float *y, int rows, int C) {
  assert(C % 4 == 0);
  softmax_vec4_x<128><<<rows, 128>>>(x, y, rows, C);
}
