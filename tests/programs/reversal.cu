// expect: race-free=proved barriers=proved order-free=proved
// spmd: grid=1
// at: block=256 grid=1
// An array reversed in shared memory by one block.
__global__ void reverse(int *a) {
  extern __shared__ int s[];
  int t = threadIdx.x;
  s[t] = a[t];
  __syncthreads();
  a[t] = s[blockDim.x - 1 - t];
}
