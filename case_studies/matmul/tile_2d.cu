// spmd: block=256 grid=n/64,m/64 m=128 n=128 k=64 require m >= 1, n >= 1, k >= 1, m <= 32767, n <= 32767, k <= 32767, m % 64 == 0, n % 64 == 0, k % 8 == 0
// Register tile in two dimensions: a thread 4 × 4 elements.
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[64 * 8], bs[8 * 64];
  int t = threadIdx.x, tcol = t % 16, trow = t / 16;
  float acc[4][4] = {{0.0f}}, x[4], y[4];
  for (int p0 = 0; p0 < k; p0 += 8) {
    for (int at = t; at < 512; at += 256) {
      as[at] = a[(blockIdx.y * 64 + at / 8) * k + p0 + at % 8];
      bs[at] = b[(p0 + at / 64) * n + blockIdx.x * 64 + at % 64];
    }
    __syncthreads();
    for (int p = 0; p < 8; p++) {
      for (int i = 0; i < 4; i++) x[i] = as[(trow * 4 + i) * 8 + p];
      for (int j = 0; j < 4; j++) y[j] = bs[p * 64 + tcol * 4 + j];
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[(blockIdx.y * 64 + trow * 4 + i) * n + blockIdx.x * 64 + tcol * 4 + j] = acc[i][j];
}
