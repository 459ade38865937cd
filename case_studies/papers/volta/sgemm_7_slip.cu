// spmd: block=256 grid=N/64,M/64 A[M*K] B[K*N] C[M*N] require M > 0, N > 0, K > 0, M % 64 == 0, N % 64 == 0, K % 8 == 0, M <= 8192, N <= 8192, K <= 8192
// A slip: two rows change places in the very last product.
__global__ void sgemm(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta) {
  __shared__ float as[8 * 64], bs[8 * 64];
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  int row = warp / 2 * 16 + lane / 8 * 4, col = warp % 2 * 32 + lane % 8 * 4;
  float acc[4][4] = {{0.0f}}, x[4], y[4];
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int at = t; at < 512; at += 256) {
      as[at % 8 * 64 + at / 8] = A[(blockIdx.y * 64 + at / 8) * K + k0 + at % 8];
      bs[at] = B[(k0 + at / 64) * N + blockIdx.x * 64 + at % 64];
    }
    __syncthreads();
    for (int k = 0; k < 8; k++) {
      for (int i = 0; i < 4; i++) x[i] = as[k * 64 + row + (i ^ (k == 7 && k0 + 8 == K))];
      for (int j = 0; j < 4; j++) y[j] = bs[k * 64 + col + j];
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      int at = (blockIdx.y * 64 + row + i) * N + blockIdx.x * 64 + col + j;
      C[at] = alpha * acc[i][j] + beta * C[at];
    }
}
