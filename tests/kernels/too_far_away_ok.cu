// expect: race-free=proved
// spmd: block=32 grid=1
// The two writes are 32 cells apart; only a second block could join them.
__global__ void apart(int *out, int n) {
  int i = blockIdx.x * n + threadIdx.x;
  out[i] = 1;
  out[i + 32] = 2;
}
