// expect: barriers=refuted
// spmd: block=8,8 grid=1
// One row of the block arrives.
__global__ void row(int *out) {
  if (threadIdx.y == 0) __syncthreads();
  out[8 * threadIdx.y + threadIdx.x] = 1;
}
