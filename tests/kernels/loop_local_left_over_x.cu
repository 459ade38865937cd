// expect: order-free=refuted
// spmd: block=32 grid=1
// Without an inner round the local that is stored was never given a value.
__global__ void last(const int *in, int *out, int n, int m) {
  int x;
  for (int k = 0; k < n; k++)
    for (int d = 0; d < m; d++) x = in[k * m + d];
  out[threadIdx.x] = x;
}
