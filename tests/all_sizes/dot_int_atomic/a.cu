// spmd: block=256 grid=(n+255)/256 x[n] y[n] total[1] require n > 0, n <= 1000000
__global__ void dot_atomic(const int *x, const int *y, int *total, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(total, x[i] * y[i]);
}
