// spmd: block=128 grid=n/64,m/64 m=128 n=128 k=64 require m >= 1, n >= 1, k >= 1, m <= 32767, n <= 32767, k <= 32767, m % 64 == 0, n % 64 == 0, k % 8 == 0
// Warp tiles: a block four warps, a warp 32 × 32 elements, a thread 4 × 8 of them.
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[8 * 64], bs[8 * 64];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int row = warp / 2 * 32 + lane / 4 * 4, col = warp % 2 * 32 + lane % 4 * 8;
  float acc[4][8] = {{0.0f}}, x[4], y[8];
  for (int p0 = 0; p0 < k; p0 += 8) {
    for (int at = t; at < 512; at += 128) {
      as[at % 8 * 64 + at / 8] = a[(blockIdx.y * 64 + at / 8) * k + p0 + at % 8];
      bs[at] = b[(p0 + at / 64) * n + blockIdx.x * 64 + at % 64];
    }
    __syncthreads();
    for (int p = 0; p < 8; p++) {
      for (int i = 0; i < 4; i++) x[i] = as[p * 64 + row + i];
      for (int j = 0; j < 8; j++) y[j] = bs[p * 64 + col + j];
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++) acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 8; j++) c[(blockIdx.y * 64 + row + i) * n + blockIdx.x * 64 + col + j] = acc[i][j];
}
