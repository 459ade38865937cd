// expect: race-free=refuted
// A memset of two elements a thread, one apart; then the value of one's own.
__global__ void clear(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  memset(out + i, 0, 2 * sizeof(int));
  out[i] = i;
}
