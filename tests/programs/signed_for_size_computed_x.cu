// expect: race-free=unknown
// The host passes twice a number that may be negative: a parameter without a sign that is equal to what the host computes with one.
#include <stdio.h>

__global__ void fill(int *out, const size_t width) {
  size_t x = blockIdx.x * 16 + threadIdx.x;
  size_t y = blockIdx.y * 16 + threadIdx.y;
  if (x < width && y < width) out[y * width + x] = threadIdx.x;
}

int main(int argc, char **argv) {
  int *out;
  int width;
  FILE *file = fopen(argv[1], "r");
  if (fscanf(file, "%d", &width) != 1) return 1;
  cudaMalloc(&out, (size_t)width * width * sizeof(int));
  dim3 block(16, 16), grid(64, 64);
  fill<<<grid, block>>>(out, 2 * width);
  cudaDeviceSynchronize();
  cudaFree(out);
  return 0;
}
