// spmd: block=64 grid=(m+63)/64 a[m*n] x[n] y[m] require m > 0, n >= 0, m <= 20000, n <= 20000
__global__ void gemv(const float *a, const float *x, float *y, int m, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= m) return;
  float s = 0.0f;
  for (int j = 0; j < n; j++) s += a[j * m + i] * x[j];
  y[i] = s;
}
