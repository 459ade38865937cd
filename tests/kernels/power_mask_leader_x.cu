// expect: race-free=refuted
// spmd: require (blockDim.x & (blockDim.x - 1)) == 0, width > 0 && (width & (width - 1)) == 0
// Two leaders of each stretch.
__global__ void leaders(unsigned *out, unsigned width) {
  unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  if ((at & (width - 1)) <= 1) out[at / width] = at;
}
