// expect: barriers=proved race-free=proved
// A condition on the block divides no block.
__global__ void by_block(const int *in, int *out) {
  __shared__ int s[1024];
  int t = threadIdx.x;
  s[t] = in[t];
  if (blockIdx.x % 2 == 0) __syncthreads();
  else return;
  out[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t];
}
