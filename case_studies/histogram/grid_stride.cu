// spmd: block=64 grid=3 n=1003 h[64] require n >= 1, n <= 1000000000
// Few blocks, each thread takes every (grid · block)-th element.
__global__ void histogram(const unsigned char *data, unsigned *h, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&h[data[i] >> 2], 1u);
}
