// expect: barriers=refuted
// Each thread makes its own number of rounds, and each round waits for all.
__global__ void rounds(int *out) {
  for (unsigned k = 0; k < threadIdx.x; k++) __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
