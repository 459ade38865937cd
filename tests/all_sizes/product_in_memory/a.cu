// spmd: block=16,16 grid=(n+15)/16,(m+15)/16 a[m*k] b[k*n] c[m*n] require m > 0, n > 0, k >= 0, m <= 20000, n <= 20000, k <= 20000
__global__ void product(const float *a, const float *b, float *c, int m, int n, int k) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= m || j >= n) return;
  c[i * n + j] = 0.0f;
  for (int l = 0; l < k; l++) c[i * n + j] += a[i * k + l] * b[l * n + j];
}
