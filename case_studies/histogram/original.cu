// spmd: block=128 grid=(n+127)/128 n=1003 h[64] require n >= 1, n <= 1000000000
// Histogram of bytes in 64 bins: one atomic in global memory an element.
__global__ void histogram(const unsigned char *data, unsigned *h, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&h[data[i] >> 2], 1u);
}
