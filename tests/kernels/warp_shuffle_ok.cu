// expect: race-free=proved barriers=proved order-free=proved
// spmd: require blockDim.x % 32 == 0
// All lanes of all warps take part.
__global__ void down(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __shfl_down_sync(0xffffffffu, in[i], 1);
}
