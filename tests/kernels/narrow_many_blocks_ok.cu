// expect: race-free=proved
// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 65536
// Sixteen bits tell 65536 threads apart.
__global__ void narrow(int *out, int n) {
  unsigned short i = blockIdx.x * 64 + threadIdx.x;
  out[i] = blockIdx.x;
}
