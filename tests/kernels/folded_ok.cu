// expect: race-free=proved
// spmd: block=65 grid=1
// Only one side of the middle writes.
__global__ void folded(const int *in, int *out) {
  int t = threadIdx.x;
  if (t >= 32) out[abs(t - 32)] = in[t];
}
