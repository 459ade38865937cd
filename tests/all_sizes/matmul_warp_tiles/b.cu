// spmd: block=128 grid=n/64,m/32 a[m*k] b[k*n] c[m*n] require m > 0, n > 0, k > 0, m <= 20000, n <= 20000, k <= 20000, m % 32 == 0, n % 64 == 0, k % 8 == 0
__global__ void matmul_warps(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[8][32], bs[8][64];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int row = warp / 2 * 16 + lane / 8 * 4, col = warp % 2 * 32 + lane % 8 * 4;
  int first_row = blockIdx.y * 32, first_col = blockIdx.x * 64;
  float acc[4][4] = {};
  for (int first = 0; first < k; first += 8) {
    for (int q = t; q < 256; q += 128) as[q % 8][q / 8] = a[(first_row + q / 8) * k + first + q % 8];
    for (int q = t; q < 512; q += 128) bs[q / 64][q % 64] = b[(first + q / 64) * n + first_col + q % 64];
    __syncthreads();
    for (int l = 0; l < 8; l++)
      for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) acc[y][x] += as[l][row + y] * bs[l][col + x];
    __syncthreads();
  }
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++) c[(first_row + row + y) * n + first_col + col + x] = acc[y][x];
}
