// expect: barriers=refuted
// spmd: block=64
// Two warps of a block may vote differently, and only one then waits for the block.
__global__ void vote(const int *in, int *out) {
  int any = __any_sync(0xffffffffu, in[threadIdx.x] > 0);
  if (any) __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = any;
}
