// spmd: block=16,16 grid=(n+15)/16,(m+15)/16 a[2*m*half] b[2*half*n] c[m*n] require m > 0, n > 0, half >= 0, m <= 10000, n <= 10000, half <= 10000
__global__ void product_halves(const float *a, const float *b, float *c, int m, int n, int half) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  if (i >= m || j >= n) return;
  const float *row = a + i * 2 * half;
  float s = 0.0f, t = 0.0f;
  for (int l = 0; l < half; l++) {
    s += row[l] * b[l * n + j];
    t += row[half + l] * b[(half + l) * n + j];
  }
  c[i * n + j] = s + t;
}
