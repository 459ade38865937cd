// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// t & 1 is not t % 2 == 0: the odd threads take the cell of their even neighbours.
__global__ void parity(const int *in, int *out) {
  int t = threadIdx.x;
  if (t & 1) out[t - 1] = in[t];
  if (t % 2 == 0) out[t] = in[t] + 1;
}
