// spmd: block=256 grid=(n+255)/256 x[n] bins[256] require n > 0, n <= 1000000
__global__ void histogram(const unsigned char *x, int *bins, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(&bins[x[i]], 1);
}
