// expect: race-free=refuted
// spmd: block=65 grid=1
// The distance from the middle is the same on both sides.
__global__ void folded(const int *in, int *out) {
  int t = threadIdx.x;
  out[abs(t - 32)] = in[t];
}
