// spmd: block=64 grid=(m*n+63)/64 a[m*k] b[k*n] c[m*n] require m > 0, n > 0, k >= 0, m <= 20000, n <= 20000, k <= 20000
__global__ void product_register(const float *a, const float *b, float *c, int m, int n, int k) {
  int at = blockIdx.x * 64 + threadIdx.x;
  if (at >= m * n) return;
  const float *row = a + at / n * k, *column = b + at % n;
  float s = 0.0f;
  for (int l = 0; l < k; l++, column += n) s += row[l] * *column;
  c[at] = s;
}
