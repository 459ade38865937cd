// expect: order-free=refuted
// In a round the array is read before it is filled; the round before does not count for the first.
__global__ void walk(int *out, const int *in, int n, int m) {
  int own[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < 1 || n > 64) return;
  int sum = 0;
  for (int r = 0; r < m; r++) {
    for (int k = 0; k < n; k++) sum += own[k];
    for (int k = 0; k < n; k++) own[k] = in[k] + r;
  }
  out[i] = sum;
}
