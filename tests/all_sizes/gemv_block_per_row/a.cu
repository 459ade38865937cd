// spmd: block=128 grid=(m+127)/128 a[m*n] x[n] y[m] require m > 0, n >= 0, m <= 20000, n <= 20000
__global__ void gemv(const float *a, const float *x, float *y, float alpha, float beta, int m, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= m) return;
  float s = 0.0f;
  for (int j = 0; j < n; j++) s += a[i * n + j] * x[j];
  y[i] = alpha * s + beta * y[i];
}
