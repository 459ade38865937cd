// spmd: block=512 grid=n/64,m/64 m=128 n=128 k=64 require m >= 1, n >= 1, k >= 1, m <= 32767, n <= 32767, k <= 32767, m % 64 == 0, n % 64 == 0, k % 8 == 0
// Register tile in one dimension: a thread eight elements of a column.
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[64 * 8], bs[8 * 64];
  int t = threadIdx.x, col = t % 64, row = t / 64, arow = t / 8, acol = t % 8;
  a += blockIdx.y * 64 * k;
  b += blockIdx.x * 64;
  c += blockIdx.y * 64 * n + blockIdx.x * 64;
  float acc[8] = {0.0f};
  for (int p0 = 0; p0 < k; p0 += 8) {
    as[arow * 8 + acol] = a[arow * k + acol];
    bs[row * 64 + col] = b[row * n + col];
    __syncthreads();
    a += 8;
    b += 8 * n;
    for (int p = 0; p < 8; p++) {
      float y = bs[p * 64 + col];
      for (int i = 0; i < 8; i++) acc[i] += as[(row * 8 + i) * 8 + p] * y;
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; i++) c[(row * 8 + i) * n + col] = acc[i];
}
