// The staged reversal without its barrier: a thread may read a cell of s before its neighbour
// has written it.
// Needs blockDim.x integers of dynamic shared memory.
#include <cstdio>

__global__ void reverse_unsynchronised(const int *in, int *out) {
  extern __shared__ int s[];
  unsigned from = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned to = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  s[blockDim.x - 1 - threadIdx.x] = in[from];
  int value = s[threadIdx.x];
  out[to] = value;
}

int main() {
  const int blocks = 6, threads = 64, length = blocks * threads;
  int host_in[length], host_out[length];
  for (int i = 0; i < length; i++) {
    host_in[i] = 7 * i + 3;
    host_out[i] = -1;
  }

  int *in, *out;
  if (cudaMalloc(&in, sizeof(host_in)) != cudaSuccess ||
      cudaMalloc(&out, sizeof(host_out)) != cudaSuccess) {
    printf("FAILED: no device memory\n");
    return 1;
  }
  cudaMemcpy(in, host_in, sizeof(host_in), cudaMemcpyHostToDevice);
  cudaMemcpy(out, host_out, sizeof(host_out), cudaMemcpyHostToDevice);

  reverse_unsynchronised<<<6, 64, 64 * sizeof(int)>>>(in, out);

  cudaError_t error = cudaMemcpy(host_out, out, sizeof(host_out), cudaMemcpyDeviceToHost);
  cudaFree(in);
  cudaFree(out);

  int wrong = error != cudaSuccess;
  for (int i = 0; i < length; i++)
    if (host_out[i] != host_in[length - 1 - i]) wrong++;
  puts(wrong ? "FAILED" : "ok");
  return wrong != 0;
}
