// expect: race-free=proved barriers=proved
// spmd: require blockDim.x <= 128, gridDim.x == 1
// Counting wraps behind the last of 128 slots, and a block has no more threads.
__global__ void push(const int *in, int *out) {
  __shared__ unsigned head;
  int t = threadIdx.x;
  if (t == 0) head = 0;
  __syncthreads();
  out[atomicInc(&head, 127u)] = in[blockIdx.x * blockDim.x + t];
}
