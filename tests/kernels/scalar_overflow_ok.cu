// expect: no-wrap=proved race-free=proved
// spmd: block=64 grid=1 require n > 0, n <= 34087042
// 63 * 34087042 is just below 2^31.
__global__ void spread(const int *in, int *out, int n) {
  int t = threadIdx.x;
  out[t * n] = in[t];
}
