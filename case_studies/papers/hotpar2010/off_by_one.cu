// The staged reversal with one slip: a thread takes its neighbour's cell of shared memory.
__global__ void reverse(const int *in, int *out) {
  extern __shared__ int s[];
  int from = blockIdx.x * blockDim.x + threadIdx.x;
  int to = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  s[blockDim.x - 1 - threadIdx.x] = in[from];
  __syncthreads();
  out[to] = s[(threadIdx.x + 1) % blockDim.x];
}
