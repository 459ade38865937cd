// expect: race-free=proved barriers=proved order-free=refuted
// The last warp of a block need not have all its lanes.
__global__ void down(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_down_sync(0xffffffffu, in[i], 1);
}
