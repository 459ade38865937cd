// expect: race-free=refuted
// spmd: block=64 grid=1
// Rows of four are too short for eight columns.
__global__ void interleave(const int *in, int *out) {
  int t = threadIdx.x;
  out[(t % 8) * 4 + t / 8] = in[t];
}
