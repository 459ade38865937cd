// spmd: block=64 grid=n/32,m/32 a[m*k] b[k*n] c[m*n] require m > 0, n > 0, k > 0, m <= 20000, n <= 20000, k <= 20000, m % 32 == 0, n % 32 == 0, k % 8 == 0
__global__ void matmul_2d(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[8][32], bs[8][32];
  int t = threadIdx.x;
  int col = t % 8 * 4, row = t / 8 * 4;
  const float *from_a = a + blockIdx.y * 32 * k, *from_b = b + blockIdx.x * 32;
  float acc[4][4] = {};
  for (int first = 0; first < k; first += 8) {
    for (int q = 0; q < 4; q++) {
      as[t % 8][t / 8 + 8 * q] = from_a[(t / 8 + 8 * q) * k + first + t % 8];
      bs[t / 32 + 2 * q][t % 32] = from_b[(first + t / 32 + 2 * q) * n + t % 32];
    }
    __syncthreads();
    for (int l = 0; l < 8; l++) {
      float u[4], v[4];
      for (int q = 0; q < 4; q++) {
        u[q] = as[l][row + q];
        v[q] = bs[l][col + q];
      }
      for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) acc[y][x] += u[y] * v[x];
    }
    __syncthreads();
  }
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++) c[(blockIdx.y * 32 + row + y) * n + blockIdx.x * 32 + col + x] = acc[y][x];
}
