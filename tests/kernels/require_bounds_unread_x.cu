// expect: race-free=refuted
// spmd: require 0 <= target[i] && target[i] < classes
// The threads that read no element do not make one be there: there may be no classes.
__global__ void mark(int *out, const int *target, int classes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int class_ = i < n ? target[i] : -1;
  if (class_ < 0 && classes <= 0) out[0] = i;
}
