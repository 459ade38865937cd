// expect: race-free=refuted
// spmd: block=64 grid=1 require n >= 0, n <= 1000
// A stride may be zero.
__global__ void spread(const int *in, int *out, int n) {
  int t = threadIdx.x;
  out[t * n] = in[t];
}
