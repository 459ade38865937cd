// spmd: block=256 grid=(n+255)/256 data[n] bins[16] require n > 0, n <= 1000000
__global__ void histogram(const unsigned char *data, unsigned *bins, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) atomicAdd(&bins[data[i] >> 4], 1u);
}
