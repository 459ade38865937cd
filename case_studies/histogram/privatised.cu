// spmd: block=128 grid=3 n=1003 h[64] require n >= 1, n <= 1000000000
// A copy of the histogram a block in shared memory, added to the global one at the end.
__global__ void histogram(const unsigned char *data, unsigned *h, int n) {
  __shared__ unsigned own[64];
  if (threadIdx.x < 64) own[threadIdx.x] = 0;
  __syncthreads();  // the copy is cleared
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[data[i] >> 2], 1u);
  __syncthreads();  // the copy is complete
  if (threadIdx.x < 64) atomicAdd(&h[threadIdx.x], own[threadIdx.x]);
}
