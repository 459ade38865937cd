// spmd: block=128 grid=(n+127)/128 x[n*k] out[n] require n > 0, n <= 20000, k >= 1, k <= 20000
__global__ void best(const int *x, int *out, int n, int k) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) {
    int m = x[i * k];
    for (int j = 1; j < k; j++)
      if (x[i * k + j] > m) m = x[i * k + j];
    out[i] = m;
  }
}
