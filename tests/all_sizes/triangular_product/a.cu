// spmd: block=128 grid=(n+127)/128 a[n*n] x[n] y[n] require n > 0, n <= 20000
__global__ void trmv(const float *a, const float *x, float *y, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int j = 0; j <= i; j++) s += a[i * n + j] * x[j];
  y[i] = s;
}
