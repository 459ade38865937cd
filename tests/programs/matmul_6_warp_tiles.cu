// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=128 require n == gridDim.x * 64
// at: block=128 grid=2,2 n=128 k=128
// Matrix product: a block four warps, a warp a tile of 32 × 32, a thread 4 × 8 sums of it.
__global__ void mm(const float *a, const float *b, float *c, int n, int k) {
  __shared__ float as[8 * 64], bs[8 * 64];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int wrow = warp / 2, wcol = warp % 2, trow = lane / 4, tcol = lane % 4;
  float acc[4][8] = {{0}}, x[4], y[8];
  for (int k0 = 0; k0 < k; k0 += 8) {
    for (int o = 0; o < 512; o += 128) {
      int at = o + t;
      as[at % 8 * 64 + at / 8] = a[(blockIdx.y * 64 + at / 8) * k + k0 + at % 8];
      bs[at] = b[(k0 + at / 64) * n + blockIdx.x * 64 + at % 64];
    }
    __syncthreads();
    for (int d = 0; d < 8; d++) {
      for (int i = 0; i < 4; i++) x[i] = as[d * 64 + wrow * 32 + trow * 4 + i];
      for (int j = 0; j < 8; j++) y[j] = bs[d * 64 + wcol * 32 + tcol * 8 + j];
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 8; j++) acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 8; j++)
      c[(blockIdx.y * 64 + wrow * 32 + trow * 4 + i) * n + blockIdx.x * 64 + wcol * 32 + tcol * 8 + j] = acc[i][j];
}
