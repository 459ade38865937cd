// spmd: block=256 grid=n/32,m/32 a[m*k] b[k*n] c[m*n] require m > 0, n > 0, k > 0, m <= 20000, n <= 20000, k <= 20000, m % 32 == 0, n % 32 == 0, k % 8 == 0
__global__ void matmul_1d(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[32][8], bs[8][32];
  int t = threadIdx.x;
  int col = t % 32, row = t / 32 * 4;
  int first_row = blockIdx.y * 32, first_col = blockIdx.x * 32;
  float acc[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int first = 0; first < k; first += 8) {
    as[t / 8][t % 8] = a[(first_row + t / 8) * k + first + t % 8];
    bs[t / 32][t % 32] = b[(first + t / 32) * n + first_col + t % 32];
    __syncthreads();
    for (int l = 0; l < 8; l++)
      for (int u = 0; u < 4; u++) acc[u] += as[row + u][l] * bs[l][col];
    __syncthreads();
  }
  for (int u = 0; u < 4; u++) c[(first_row + row + u) * n + first_col + col] = acc[u];
}
