// spmd: block=64 grid=n/32,m/32 a[m*k] b[k*n] c[m*n] require m > 0, n > 0, k > 0, m <= 20000, n <= 20000, k <= 20000, m % 32 == 0, n % 32 == 0, k % 8 == 0
__global__ void matmul_float4(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[8 * 32], bs[8 * 32];
  int t = threadIdx.x;
  int col = t % 8 * 4, row = t / 8 * 4;
  a += blockIdx.y * 32 * k;
  b += blockIdx.x * 32;
  c += blockIdx.y * 32 * n + blockIdx.x * 32;
  float acc[4][4] = {};
  for (int first = 0; first < k; first += 8) {
    float4 u = reinterpret_cast<const float4 *>(&a[t / 2 * k + t % 2 * 4])[0];
    as[(t % 2 * 4) * 32 + t / 2] = u.x;
    as[(t % 2 * 4 + 1) * 32 + t / 2] = u.y;
    as[(t % 2 * 4 + 2) * 32 + t / 2] = u.z;
    as[(t % 2 * 4 + 3) * 32 + t / 2] = u.w;
    reinterpret_cast<float4 *>(&bs[t / 8 * 32 + t % 8 * 4])[0] = reinterpret_cast<const float4 *>(&b[t / 8 * n + t % 8 * 4])[0];
    __syncthreads();
    a += 8;
    b += 8 * n;
    for (int l = 0; l < 8; l++)
      for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) acc[y][x] += as[l * 32 + row + y] * bs[l * 32 + col + x];
    __syncthreads();
  }
  for (int y = 0; y < 4; y++)
    reinterpret_cast<float4 *>(&c[(row + y) * n + col])[0] = make_float4(acc[y][0], acc[y][1], acc[y][2], acc[y][3]);
}
