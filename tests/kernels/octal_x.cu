// expect: race-free=refuted
// spmd: block=9 grid=1
// 010 is eight.
__global__ void octal(const int *in, int *out) {
  int t = threadIdx.x;
  out[t == 1 ? 010 : t] = in[t];
}
