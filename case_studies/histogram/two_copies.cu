// spmd: block=128 grid=3 n=1003 h[64] require n >= 1, n <= 1000000000
// Two copies a block, one for even and one for odd warps.
__global__ void histogram(const unsigned char *data, unsigned *h, int n) {
  __shared__ unsigned even[64], odd[64];
  bool is_odd = threadIdx.x / 32 % 2;
  if (threadIdx.x < 64) even[threadIdx.x] = odd[threadIdx.x] = 0;
  __syncthreads();  // the copies are cleared
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (is_odd)
      atomicAdd(&odd[data[i] >> 2], 1u);
    else
      atomicAdd(&even[data[i] >> 2], 1u);
  }
  __syncthreads();  // the copies are complete
  if (threadIdx.x < 64) atomicAdd(&h[threadIdx.x], even[threadIdx.x] + odd[threadIdx.x]);
}
