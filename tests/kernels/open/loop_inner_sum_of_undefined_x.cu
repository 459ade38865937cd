// expect: order-free=refuted
// spmd: block=64 grid=1
// The same through an inner loop, where the local may not have been given a value.
__global__ void sum(int *out, const int *in, int n, int m) {
  int x, y = 0;
  for (int i = 0; i < n; i++) {
    if (in[i] > 0) x = i;
    for (int j = 0; j < m; j++) y = y * 3 + x;
  }
  out[threadIdx.x] = y;
}
