// equality: bitwise (integer atomics). hist is zeroed by the caller. X: merge guarded by if (threadIdx.x < NUM_BINS) with 128 threads: bins 128..255 never reach global memory.
#include <cuda_runtime.h>

#define NUM_BINS 256

__global__ void histogram_a(const unsigned char *data, unsigned int *hist, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&hist[data[i]], 1u);
}

__global__ void histogram_b(const unsigned char *data, unsigned int *hist, int n) {
  __shared__ unsigned int hist_s[NUM_BINS];
  for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) hist_s[b] = 0u;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&hist_s[data[i]], 1u);
  }
  __syncthreads();
  for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) {
    unsigned int v = hist_s[b];
    if (v > 0) atomicAdd(&hist[b], v);
  }
}

__global__ void histogram_x(const unsigned char *data, unsigned int *hist, int n) {
  __shared__ unsigned int hist_s[NUM_BINS];
  for (int b = threadIdx.x; b < NUM_BINS; b += blockDim.x) hist_s[b] = 0u;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&hist_s[data[i]], 1u);
  }
  __syncthreads();
  if (threadIdx.x < NUM_BINS) {
    unsigned int v = hist_s[threadIdx.x];
    if (v > 0) atomicAdd(&hist[threadIdx.x], v);
  }
}

void run_histogram_a(const unsigned char *data, unsigned int *hist, int n) {
  histogram_a<<<(n + 255) / 256, 256>>>(data, hist, n);
}

void run_histogram_b(const unsigned char *data, unsigned int *hist, int n) {
  int grid = (n + 128 * 16 - 1) / (128 * 16);
  histogram_b<<<grid, 128>>>(data, hist, n);
}

void run_histogram_x(const unsigned char *data, unsigned int *hist, int n) {
  int grid = (n + 128 * 16 - 1) / (128 * 16);
  histogram_x<<<grid, 128>>>(data, hist, n);
}
