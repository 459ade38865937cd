// expect: race-free=refuted
// spmd: block=64 grid=2
// Atomic among the threads of a block only, on a cell of all blocks.
__global__ void count(int *sum) {
  atomicAdd_block(sum, 1);
}
