// expect: race-free=proved barriers=proved order-free=proved
// Updates of one commuting family, whose results nobody uses.
__global__ void count(int *sum) {
  atomicAdd(sum + threadIdx.x % 2, 1);
}
