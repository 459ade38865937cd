// spmd: block=256 grid=n/64,m/64 m=128 n=128 k=64 require m >= 1, n >= 1, k >= 1, m <= 32767, n <= 32767, k <= 32767, m % 64 == 0, n % 64 == 0, k % 8 == 0
// The same moved as float4, the tile of a transposed on the way in.
__global__ void matmul(const float *a, const float *b, float *c, int m, int n, int k) {
  __shared__ float as[8 * 64], bs[8 * 64];
  int t = threadIdx.x, tcol = t % 16, trow = t / 16;
  int arow = t / 2, acol = t % 2 * 4, brow = t / 16, bcol = t % 16 * 4;
  float acc[4][4] = {{0.0f}};
  for (int p0 = 0; p0 < k; p0 += 8) {
    if (t < 128) {
      float4 v = *reinterpret_cast<const float4 *>(&a[(blockIdx.y * 64 + arow) * k + p0 + acol]);
      as[(acol + 0) * 64 + arow] = v.x;
      as[(acol + 1) * 64 + arow] = v.y;
      as[(acol + 2) * 64 + arow] = v.z;
      as[(acol + 3) * 64 + arow] = v.w;
      *reinterpret_cast<float4 *>(&bs[brow * 64 + bcol]) =
          *reinterpret_cast<const float4 *>(&b[(p0 + brow) * n + blockIdx.x * 64 + bcol]);
    }
    __syncthreads();
    for (int p = 0; p < 8; p++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += as[p * 64 + trow * 4 + i] * bs[p * 64 + tcol * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    *reinterpret_cast<float4 *>(&c[(blockIdx.y * 64 + trow * 4 + i) * n + blockIdx.x * 64 + tcol * 4]) =
        make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
}
