// expect: race-free=proved order-free=proved
// A memset of two elements a thread, two apart; then the value of one's own.
__global__ void clear(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  memset(out + 2 * i, 0, 2 * sizeof(int));
  out[2 * i] = i;
}
