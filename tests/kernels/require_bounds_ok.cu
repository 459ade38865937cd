// expect: race-free=proved barriers=proved
// spmd: require 0 <= target[i] && target[i] < classes
// One row a thread, and in it a column that the data choose.
__global__ void mark(int *out, const int *target, int classes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * classes + target[i]] = i;
}
