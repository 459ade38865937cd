// expect: no-wrap=unknown
// A hash of the round, which leaves its type at small sizes: that it does not is no assumption.
__global__ void mixed_in_rounds(int n, int m, float *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int a = 0; a < n; a++) {
    int hash = (a * 31337 + m * a * 7919) * (a + 1);
    y[hash % 17 + i * 17] = i;
  }
}
