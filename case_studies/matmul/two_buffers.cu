// spmd: block=256 grid=n/64,m/64 m=128 n=128 k=64 require m >= 1, n >= 1, k >= 1, m <= 32767, n <= 32767, k <= 32767, m % 64 == 0, n % 64 == 0, k % 8 == 0
// Double-buffered: while one pair of tiles is multiplied, the next is on its way.
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[2][64 * 8], bs[2][8 * 64];
  int t = threadIdx.x, tcol = t % 16, trow = t / 16, now = 0;
  float acc[4][4] = {{0.0f}};
  for (int at = t; at < 512; at += 256) {
    as[0][at] = a[(blockIdx.y * 64 + at / 8) * k + at % 8];
    bs[0][at] = b[at / 64 * n + blockIdx.x * 64 + at % 64];
  }
  __syncthreads();
  for (int p0 = 0; p0 < k; p0 += 8) {
    if (p0 + 8 < k)
      for (int at = t; at < 512; at += 256) {
        as[1 - now][at] = a[(blockIdx.y * 64 + at / 8) * k + p0 + 8 + at % 8];
        bs[1 - now][at] = b[(p0 + 8 + at / 64) * n + blockIdx.x * 64 + at % 64];
      }
    for (int p = 0; p < 8; p++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += as[now][(trow * 4 + i) * 8 + p] * bs[now][p * 64 + tcol * 4 + j];
    __syncthreads();
    now = 1 - now;
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) c[(blockIdx.y * 64 + trow * 4 + i) * n + blockIdx.x * 64 + tcol * 4 + j] = acc[i][j];
}
