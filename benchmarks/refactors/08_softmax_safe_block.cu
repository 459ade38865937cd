// equality: real. Naive softmax (no max, thread per row) against safe softmax (block per row). X: the numerator forgets to subtract the max.
#include <cfloat>
#include <cuda_runtime.h>

__global__ void softmax_naive_vs_safe_a(const float *__restrict__ in, float *__restrict__ out, int M, int N) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M) {
    float denom = 0.f;
    for (int i = 0; i < N; i++) denom += expf(in[row * N + i]);
    for (int i = 0; i < N; i++) out[row * N + i] = expf(in[row * N + i]) / denom;
  }
}

template <int BLOCK>
__global__ void softmax_naive_vs_safe_b(const float *__restrict__ in, float *__restrict__ out, int M, int N) {
  __shared__ float smem[BLOCK];
  const int tid = threadIdx.x;
  const float *x = in + blockIdx.x * N;
  float *y = out + blockIdx.x * N;

  float local_max = -INFINITY;
  for (int i = tid; i < N; i += BLOCK) local_max = fmaxf(local_max, x[i]);
  smem[tid] = local_max;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s /= 2) {
    if (tid < s) smem[tid] = fmaxf(smem[tid], smem[tid + s]);
    __syncthreads();
  }
  const float row_max = smem[0];
  __syncthreads();

  float local_sum = 0.f;
  for (int i = tid; i < N; i += BLOCK) local_sum += expf(x[i] - row_max);
  smem[tid] = local_sum;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s /= 2) {
    if (tid < s) smem[tid] += smem[tid + s];
    __syncthreads();
  }
  const float denom = smem[0];

  for (int i = tid; i < N; i += BLOCK) y[i] = expf(x[i] - row_max) / denom;
}

template <int BLOCK>
__global__ void softmax_naive_vs_safe_x(const float *__restrict__ in, float *__restrict__ out, int M, int N) {
  __shared__ float smem[BLOCK];
  const int tid = threadIdx.x;
  const float *x = in + blockIdx.x * N;
  float *y = out + blockIdx.x * N;

  float local_max = -INFINITY;
  for (int i = tid; i < N; i += BLOCK) local_max = fmaxf(local_max, x[i]);
  smem[tid] = local_max;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s /= 2) {
    if (tid < s) smem[tid] = fmaxf(smem[tid], smem[tid + s]);
    __syncthreads();
  }
  const float row_max = smem[0];
  __syncthreads();

  float local_sum = 0.f;
  for (int i = tid; i < N; i += BLOCK) local_sum += expf(x[i] - row_max);
  smem[tid] = local_sum;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s /= 2) {
    if (tid < s) smem[tid] += smem[tid + s];
    __syncthreads();
  }
  const float denom = smem[0];

  for (int i = tid; i < N; i += BLOCK) y[i] = expf(x[i]) / denom;
}

void run_softmax_naive_vs_safe_a(const float *in, float *out, int M, int N) {
  softmax_naive_vs_safe_a<<<(M + 31) / 32, 32>>>(in, out, M, N);
}

void run_softmax_naive_vs_safe_b(const float *in, float *out, int M, int N) {
  softmax_naive_vs_safe_b<128><<<M, 128>>>(in, out, M, N);
}

void run_softmax_naive_vs_safe_x(const float *in, float *out, int M, int N) {
  softmax_naive_vs_safe_x<128><<<M, 128>>>(in, out, M, N);
}
