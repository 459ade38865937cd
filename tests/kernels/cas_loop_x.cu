// expect: race-free=refuted
// The value that the plain read gives decides whether there is a swap at all.
__global__ void k(const int *x, int *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int old = bins[i % 8], assumed;
  while (old < x[i]) {
    assumed = old;
    old = atomicCAS(&bins[i % 8], assumed, x[i]);
    if (old == assumed) break;
  }
}
