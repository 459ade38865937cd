// equality: bitwise. X: the unrolled-by-two grid-stride loop runs only while both elements exist; an unpaired last element is skipped.
#include <cuda_runtime.h>

__global__ void saxpy_a(int n, float alpha, const float *__restrict__ x, float *__restrict__ y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = alpha * x[i] + y[i];
}

__global__ void saxpy_b(int n, float alpha, const float *__restrict__ x, float *__restrict__ y) {
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 2 * stride) {
    y[i] = alpha * x[i] + y[i];
    const int k = i + stride;
    if (k < n) y[k] = alpha * x[k] + y[k];
  }
}

__global__ void saxpy_x(int n, float alpha, const float *__restrict__ x, float *__restrict__ y) {
  const int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i + stride < n; i += 2 * stride) {
    y[i] = alpha * x[i] + y[i];
    const int k = i + stride;
    y[k] = alpha * x[k] + y[k];
  }
}

void run_saxpy_a(int n, float alpha, const float *x, float *y) {
  saxpy_a<<<(n + 255) / 256, 256>>>(n, alpha, x, y);
}

void run_saxpy_b(int n, float alpha, const float *x, float *y) {
  int blocks = (n + 511) / 512;
  if (blocks > 1024) blocks = 1024;
  saxpy_b<<<blocks, 256>>>(n, alpha, x, y);
}

void run_saxpy_x(int n, float alpha, const float *x, float *y) {
  int blocks = (n + 511) / 512;
  if (blocks > 1024) blocks = 1024;
  saxpy_x<<<blocks, 256>>>(n, alpha, x, y);
}
