// expect: order-free=refuted
// spmd: block=32 grid=1
// One local without a value is passed on to another from round to round.
__global__ void pass(const int *in, int *out, int n) {
  int x, y = in[0];
  for (int k = 0; k < n; k++) {
    y = x ^ in[k];
    x = y + in[k + 1];
  }
  out[threadIdx.x] = y;
}
