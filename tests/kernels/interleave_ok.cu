// expect: race-free=proved
// spmd: block=64 grid=1
// Quotient and remainder of the same number give it back.
__global__ void interleave(const int *in, int *out) {
  int t = threadIdx.x;
  out[(t % 8) * 8 + t / 8] = in[t];
}
