// expect: race-free=refuted
// spmd: block=32 grid=2 require n > 0, n <= 64
// With a second block n cells on, a 1 can meet a 2.
__global__ void apart(int *out, int n) {
  int i = blockIdx.x * n + threadIdx.x;
  out[i] = 1;
  out[i + 32] = 2;
}
