// Reversal through shared memory: the block turns its stretch round, a barrier, then it is stored forwards.
__global__ void reverse(const int *in, int *out) {
  extern __shared__ int s[];
  int from = blockIdx.x * blockDim.x + threadIdx.x;
  int to = (gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x;
  s[blockDim.x - 1 - threadIdx.x] = in[from];
  __syncthreads();
  out[to] = s[threadIdx.x];
}
