// The staged reversal with its barrier under a test: only the lower half of a block waits.
__global__ void reverse(const int *in, int *out) {
  extern __shared__ int s[];
  int from = blockIdx.x * blockDim.x + threadIdx.x;
  int to = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  s[blockDim.x - 1 - threadIdx.x] = in[from];
  if (threadIdx.x < blockDim.x / 2) __syncthreads();
  out[to] = s[threadIdx.x];
}
