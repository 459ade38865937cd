// expect: race-free=proved
// spmd: block=64 grid=2
// Wherever the data send a thread, it stores 1.
__global__ void mark(const int *where, int *out) {
  out[where[blockIdx.x * blockDim.x + threadIdx.x]] = 1;
}
