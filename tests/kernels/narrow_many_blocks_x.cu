// expect: race-free=refuted
// spmd: block=64 grid=(n+63)/64 require n >= 100000
// Sixteen bits cannot tell 100000 threads apart; the cast cuts, whatever n is.
__global__ void narrow(int *out, int n) {
  unsigned short i = blockIdx.x * 64 + threadIdx.x;
  out[i] = blockIdx.x;
}
