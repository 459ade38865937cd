// expect: race-free=refuted
// Two blocks store different values in the same cell.
__global__ void block_number(int *out) {
  out[threadIdx.x] = blockIdx.x;
}
