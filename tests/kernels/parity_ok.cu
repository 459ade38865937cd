// expect: race-free=proved barriers=proved
// spmd: block=64 grid=1
// The odd and the even threads keep to cells of their own parity.
__global__ void parity(const int *in, int *out) {
  int t = threadIdx.x;
  int half = t >> 1;
  if (t & 1) out[2 * half + 1] = in[t];
  if (t % 2 == 0) out[2 * half] = in[t] + 1;
}
