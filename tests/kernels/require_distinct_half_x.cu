// expect: race-free=refuted
// spmd: require distinct(idx)
// Halves of numbers that are distinct need not be.
__global__ void scatter(int *out, const int *idx, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[idx[i] / 2] = i;
}
