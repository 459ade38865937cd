// expect: barriers=proved
// The condition is written with the thread's number and still holds for every thread.
__global__ void always(int *out) {
  if (threadIdx.x < blockDim.x) __syncthreads();
  if (threadIdx.x / blockDim.x == 0) __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
