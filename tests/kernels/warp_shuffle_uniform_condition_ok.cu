// expect: race-free=proved barriers=proved
// spmd: require blockDim.x % 32 == 0
// Whole warps leave the exchange out.
__global__ void sum(const int *in, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int v = in[i];
  if (threadIdx.x / 32 % 2 == 0) v += __shfl_xor_sync(0xffffffffu, v, 1);
  out[i] = v;
}
