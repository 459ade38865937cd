// expect: race-free=proved order-free=refuted
// spmd: block=64 grid=1
// An update reads the cell before it writes it.
__global__ void count(int *out) {
  __shared__ int sum;
  atomicAdd(&sum, 1);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum;
}
