// expect: race-free=refuted
// spmd: block=64
// All blocks add to a sum that block 0 sets to zero first: nothing says first.
__global__ void sum(const int *in, int *total) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *total = 0;
  __syncthreads();
  atomicAdd(total, in[blockIdx.x * 64 + threadIdx.x]);
}
