// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=256 require n == gridDim.x * 64
// at: block=256 grid=2,2 n=128 k=128
// Matrix product, tiles of 4 × 4 moved as float4.
#define BM 64
#define BN 64
#define BK 8
__global__ void mm(const float *a, const float *b, float *c, int n, int k) {
  __shared__ float as[BK * BM], bs[BK * BN];
  int tcol = threadIdx.x % 16, trow = threadIdx.x / 16;
  int arow = threadIdx.x / 2, acol = threadIdx.x % 2, brow = threadIdx.x / 16, bcol = threadIdx.x % 16;
  float acc[4][4] = {{0}};
  for (int k0 = 0; k0 < k; k0 += BK) {
    if (threadIdx.x < 128) {
      float4 v = reinterpret_cast<const float4 *>(&a[(blockIdx.y * BM + arow) * k + k0 + acol * 4])[0];
      as[(acol * 4 + 0) * BM + arow] = v.x;
      as[(acol * 4 + 1) * BM + arow] = v.y;
      as[(acol * 4 + 2) * BM + arow] = v.z;
      as[(acol * 4 + 3) * BM + arow] = v.w;
      reinterpret_cast<float4 *>(&bs[brow * BN + bcol * 4])[0] =
          reinterpret_cast<const float4 *>(&b[(k0 + brow) * n + blockIdx.x * BN + bcol * 4])[0];
    }
    __syncthreads();
    for (int d = 0; d < BK; d++)
      for (int i = 0; i < 4; i++) for (int j = 0; j < 4; j++) acc[i][j] += as[d * BM + trow * 4 + i] * bs[d * BN + tcol * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++) {
    float4 r = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
    reinterpret_cast<float4 *>(&c[(blockIdx.y * BM + trow * 4 + i) * n + blockIdx.x * BN + tcol * 4])[0] = r;
  }
}
