// expect: race-free=refuted
// The number lacks a factor: layers overlap when the block has more than one column.
// spmd: grid=1
__global__ void linear(const int *in, int *out) {
  int l = threadIdx.x + blockDim.x * threadIdx.y + blockDim.y * threadIdx.z;
  out[l] = 100 * threadIdx.z + threadIdx.y;
}
