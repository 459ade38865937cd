// expect: race-free=proved order-free=proved
// Atomic among the threads of a block, each block with a cell of its own.
__global__ void count(int *sum) {
  atomicAdd_block(sum + blockIdx.x, 1);
}
