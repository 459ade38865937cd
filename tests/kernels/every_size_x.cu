// expect: race-free=refuted
// The block is taken to have 32 threads, which nothing says.
__global__ void fill(int *out) {
  out[blockIdx.x * 32 + threadIdx.x] = threadIdx.x;
}
