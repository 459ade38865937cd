// expect: race-free=proved
// The number of a thread in a block of three dimensions, at every size; one block.
// spmd: grid=1
__global__ void linear(const int *in, int *out) {
  int l = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  out[l] = in[l];
}
