// spmd: block=64 grid=(n+255)/256 n=1003 h[64] require n >= 1, n <= 1000000000
// Each thread takes four neighbouring elements; a copy a block.
__global__ void histogram(const unsigned char *data, unsigned *h, int n) {
  __shared__ unsigned own[64];
  own[threadIdx.x] = 0;
  __syncthreads();  // the copy is cleared
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int i = first; i < first + 4 && i < n; i++) atomicAdd(&own[data[i] >> 2], 1u);
  __syncthreads();  // the copy is complete
  atomicAdd(&h[threadIdx.x], own[threadIdx.x]);
}
