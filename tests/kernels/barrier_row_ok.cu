// expect: barriers=proved race-free=proved
// spmd: block=64 grid=1
// The block has one row only.
__global__ void row(int *out) {
  if (threadIdx.y == 0) __syncthreads();
  out[threadIdx.x] = 1;
}
