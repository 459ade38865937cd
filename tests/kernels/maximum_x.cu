// expect: race-free=refuted
// spmd: block=64 grid=1
// The lower half of the block all come to cell 0.
__global__ void maximum(const int *in, int *out) {
  int t = threadIdx.x;
  out[max(t - 32, 0)] = in[t];
}
