// expect: race-free=proved
// spmd: require (blockDim.x & (blockDim.x - 1)) == 0, width > 0 && (width & (width - 1)) == 0
// One thread of each stretch stores for it: the stretches are as many as powers of two make them.
__global__ void leaders(unsigned *out, unsigned width) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned lane = at & (blockDim.x - 1);
  if ((at & (width - 1)) == 0) out[at / width] = lane;
}
