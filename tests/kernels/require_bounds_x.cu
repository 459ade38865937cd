// expect: race-free=refuted
// spmd: require 0 <= target[i] && target[i] <= classes, classes > 0
// The column may be that behind the row.
__global__ void mark(int *out, const int *target, int classes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * classes + target[i]] = i;
}
