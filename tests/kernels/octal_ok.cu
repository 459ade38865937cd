// expect: race-free=proved
// spmd: block=9 grid=1
// 011 is nine.
__global__ void octal(const int *in, int *out) {
  int t = threadIdx.x;
  out[t == 1 ? 011 : t] = in[t];
}
