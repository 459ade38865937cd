// expect: race-free=proved barriers=proved order-free=proved
// spmd: grid=1
// The read waits for all updates.
__global__ void peek(int *out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);
  __syncthreads();
  out[threadIdx.x] = count;
}
