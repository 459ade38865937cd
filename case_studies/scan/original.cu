// spmd: block=1 grid=3 n=203 require n >= 1, n <= 100000
// Inclusive sums of rows of n ints, one thread a row.
__global__ void scan(const int *in, int *out, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    sum += in[blockIdx.x * n + i];
    out[blockIdx.x * n + i] = sum;
  }
}
