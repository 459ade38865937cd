// expect: no-wrap=refuted
// spmd: block=64 grid=1 require n > 0, n <= 2000000000
// Two threads on, the index has left int.
__global__ void spread(const int *in, int *out, int n) {
  int t = threadIdx.x;
  out[t * n] = in[t];
}
