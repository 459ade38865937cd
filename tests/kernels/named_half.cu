// expect: verdict=proved
// spmd: block=32 grid=1
// half, kernel, local and private are ordinary names in CUDA without its half-precision header.
__global__ void half(int *local, int kernel) {
  int private_one = threadIdx.x, global = kernel;
  local[private_one] = global;
}
