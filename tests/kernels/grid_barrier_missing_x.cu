// expect: race-free=refuted barriers=proved
// A barrier of the block does not order blocks.
__global__ void turn(int *from, int *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) from[i] = i;
  __syncthreads();
  if (i < n) to[i] = from[n - 1 - i];
}
