// mutant: the second store hits the first cell of the next pair with the wrong sum
// Made from adjacent.cu.
#include <cstdio>

// spmd: block=128 grid=(n+255)/256 require n > 0, n <= 1000000000
__global__ void add_adjacent(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * i < n)
    c[2 * i] = a[2 * i] + b[2 * i];
  if (2 * i + 1 < n)
    c[2 * i + 2] = a[2 * i + 1] + b[2 * i + 1];
}

int main() {
  const int n = 1001;
  float host_a[n], host_b[n], host_c[n];
  for (int i = 0; i < n; i++) {
    host_a[i] = 0.25f * i;
    host_b[i] = 1000.0f - 3.0f * i;
    host_c[i] = -1.0f;
  }

  float *a, *b, *c;
  if (cudaMalloc(&a, sizeof(host_a)) != cudaSuccess ||
      cudaMalloc(&b, sizeof(host_b)) != cudaSuccess ||
      cudaMalloc(&c, sizeof(host_c)) != cudaSuccess) {
    printf("FAILED: no device memory\n");
    return 1;
  }
  cudaMemcpy(a, host_a, sizeof(host_a), cudaMemcpyHostToDevice);
  cudaMemcpy(b, host_b, sizeof(host_b), cudaMemcpyHostToDevice);
  cudaMemcpy(c, host_c, sizeof(host_c), cudaMemcpyHostToDevice);

  add_adjacent<<<4, 128>>>(a, b, c, n);

  cudaError_t error = cudaMemcpy(host_c, c, sizeof(host_c), cudaMemcpyDeviceToHost);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);

  int wrong = error != cudaSuccess;
  for (int i = 0; i < n; i++)
    if (host_c[i] != host_a[i] + host_b[i]) wrong++;
  puts(wrong ? "FAILED" : "ok");
  return wrong != 0;
}
