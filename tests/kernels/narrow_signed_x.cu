// expect: race-free=refuted
// spmd: block=64 grid=1 require n >= 5000, n <= 100000
// The same with a signed type: n = 32768 leaves two cells only.
__global__ void product(int *out, int n) {
  short h = (int)threadIdx.x * n;
  out[h + 32768] = threadIdx.x;
}
