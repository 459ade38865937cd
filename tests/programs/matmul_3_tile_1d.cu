// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=512 require n == gridDim.x * 64
// at: block=512 grid=2,2 n=128 k=128
// Matrix product, eight sums a thread.
#define BM 64
#define BN 64
#define BK 8
#define TM 8
__global__ void mm(const float *a, const float *b, float *c, int n, int k) {
  __shared__ float as[BM * BK], bs[BK * BN];
  int tcol = threadIdx.x % BN, trow = threadIdx.x / BN;
  int acol = threadIdx.x % BK, arow = threadIdx.x / BK, bcol = threadIdx.x % BN, brow = threadIdx.x / BN;
  float acc[TM] = {0};
  for (int k0 = 0; k0 < k; k0 += BK) {
    as[arow * BK + acol] = a[(blockIdx.y * BM + arow) * k + k0 + acol];
    bs[brow * BN + bcol] = b[(k0 + brow) * n + blockIdx.x * BN + bcol];
    __syncthreads();
    for (int d = 0; d < BK; d++) {
      float x = bs[d * BN + tcol];
      for (int i = 0; i < TM; i++) acc[i] += as[(trow * TM + i) * BK + d] * x;
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; i++) c[(blockIdx.y * BM + trow * TM + i) * n + blockIdx.x * BN + tcol] = acc[i];
}
