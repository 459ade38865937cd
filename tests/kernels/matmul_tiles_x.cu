// expect: race-free=refuted barriers=proved
// spmd: block=8,8 grid=n/8,m/8 require n > 0, m > 0, n <= 4096, m <= 4096, n % 8 == 0, m % 8 == 0
// The tiles are filled again before all threads have used them.
__global__ void product(const float *a, const float *b, float *c, int n, int m) {
  __shared__ float p[8][8], q[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  int col = blockIdx.x * 8 + x, row = blockIdx.y * 8 + y;
  float sum = 0.0f;
  for (int k = 0; k < 24; k += 8) {
    p[y][x] = a[row * 24 + k + x];
    q[y][x] = b[(k + y) * n + col];
    __syncthreads();
    for (int j = 0; j < 8; j++) sum += p[y][j] * q[j][x];
  }
  c[row * n + col] = sum;
}
