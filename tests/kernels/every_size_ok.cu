// expect: verdict=proved race-free=proved
// The plain global index, at every size.
__global__ void fill(int *out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
}
