// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=256 require n == gridDim.x * 64
// at: block=256 grid=2,2 n=128 k=128
// Matrix product, a tile of 4 × 4 sums a thread.
#define BM 64
#define BN 64
#define BK 8
#define TM 4
#define TN 4
__global__ void mm(const float *a, const float *b, float *c, int n, int k) {
  __shared__ float as[BM * BK], bs[BK * BN];
  int tcol = threadIdx.x % (BN / TN), trow = threadIdx.x / (BN / TN);
  float acc[TM * TN] = {0}, rm[TM], rn[TN];
  for (int k0 = 0; k0 < k; k0 += BK) {
    for (int o = 0; o < BM * BK; o += 256) {
      int at = o + threadIdx.x;
      as[at] = a[(blockIdx.y * BM + at / BK) * k + k0 + at % BK];
      bs[at] = b[(k0 + at / BN) * n + blockIdx.x * BN + at % BN];
    }
    __syncthreads();
    for (int d = 0; d < BK; d++) {
      for (int i = 0; i < TM; i++) rm[i] = as[(trow * TM + i) * BK + d];
      for (int j = 0; j < TN; j++) rn[j] = bs[d * BN + tcol * TN + j];
      for (int i = 0; i < TM; i++) for (int j = 0; j < TN; j++) acc[i * TN + j] += rm[i] * rn[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; i++) for (int j = 0; j < TN; j++)
    c[(blockIdx.y * BM + trow * TM + i) * n + blockIdx.x * BN + tcol * TN + j] = acc[i * TN + j];
}
