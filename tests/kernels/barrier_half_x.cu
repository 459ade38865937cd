// expect: barriers=refuted
// spmd: block=64 grid=1
// Half of the block arrives.
__global__ void lower_half(int *out) {
  if (threadIdx.x < 32) __syncthreads();
  out[threadIdx.x] = 1;
}
