// equality: real. First stage of a dot product (one partial per chunk of 1024). X: guard idx < n - 1 loses the very last element.
#include <cuda_runtime.h>

#define CHUNK 1024
#define BLOCK 256

__global__ void dot_partial_a(const float *a, const float *b, float *partial, int n) {
  int p = blockIdx.x * blockDim.x + threadIdx.x;
  int start = p * CHUNK;
  if (start >= n) return;
  int end = min(start + CHUNK, n);
  float s = 0.f;
  for (int i = start; i < end; i++) s += a[i] * b[i];
  partial[p] = s;
}

__global__ void dot_partial_b(const float *a, const float *b, float *partial, int n) {
  __shared__ float cache[BLOCK];
  int tid = threadIdx.x;
  int start = blockIdx.x * CHUNK;
  float temp = 0.f;
#pragma unroll
  for (int k = 0; k < CHUNK / BLOCK; k++) {
    int idx = start + k * BLOCK + tid;
    if (idx < n) temp += a[idx] * b[idx];
  }
  cache[tid] = temp;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s) cache[tid] += cache[tid + s];
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = cache[0];
}

__global__ void dot_partial_x(const float *a, const float *b, float *partial, int n) {
  __shared__ float cache[BLOCK];
  int tid = threadIdx.x;
  int start = blockIdx.x * CHUNK;
  float temp = 0.f;
#pragma unroll
  for (int k = 0; k < CHUNK / BLOCK; k++) {
    int idx = start + k * BLOCK + tid;
    if (idx < n - 1) temp += a[idx] * b[idx];
  }
  cache[tid] = temp;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s >>= 1) {
    if (tid < s) cache[tid] += cache[tid + s];
    __syncthreads();
  }
  if (tid == 0) partial[blockIdx.x] = cache[0];
}

// partial holds (n + 1023) / 1024 floats; a later kernel or the host adds them up
void run_dot_partial_a(const float *a, const float *b, float *partial, int n) {
  int parts = (n + CHUNK - 1) / CHUNK;
  dot_partial_a<<<(parts + 63) / 64, 64>>>(a, b, partial, n);
}

void run_dot_partial_b(const float *a, const float *b, float *partial, int n) {
  int parts = (n + CHUNK - 1) / CHUNK;
  dot_partial_b<<<parts, BLOCK>>>(a, b, partial, n);
}

void run_dot_partial_x(const float *a, const float *b, float *partial, int n) {
  int parts = (n + CHUNK - 1) / CHUNK;
  dot_partial_x<<<parts, BLOCK>>>(a, b, partial, n);
}
