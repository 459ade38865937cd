// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=64
// All blocks add to a sum that was set before the launch.
__global__ void sum(const int *in, int *total) {
  atomicAdd(total, in[blockIdx.x * 64 + threadIdx.x]);
}
