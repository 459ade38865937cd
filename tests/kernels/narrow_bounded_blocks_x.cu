// expect: race-free=refuted
// spmd: block=64 grid=(n+63)/64 require n >= 100000, n <= 200000
// The same with n bounded from above.
__global__ void narrow(int *out, int n) {
  unsigned short i = blockIdx.x * 64 + threadIdx.x;
  out[i] = blockIdx.x;
}
