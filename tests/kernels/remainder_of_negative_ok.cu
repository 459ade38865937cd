// expect: race-free=proved
// spmd: block=7 grid=1
// C's remainder takes the sign of the dividend: the seven values -3..3 stay apart.
__global__ void remainder(const int *in, int *out) {
  int t = threadIdx.x;
  out[3 + (t - 3) % 4] = in[t];
}
