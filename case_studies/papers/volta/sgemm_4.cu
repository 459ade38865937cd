// spmd: block=128 grid=N/64,M/64 A[M*K] B[K*N] C[M*N] require M > 0, N > 0, K > 0, M % 64 == 0, N % 64 == 0, K % 8 == 0, M <= 8192, N <= 8192, K <= 8192
// The same, rows of A's tile four longer, against conflicts of banks.
__global__ void sgemm(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta) {
  __shared__ float as[8 * 68], bs[8 * 64];
  int t = threadIdx.x, col = t % 16 * 4, row = t / 16 * 8;
  int arow = t / 2, acol = t % 2 * 4;
  float acc[8][4] = {{0.0f}}, x[8], y[4];
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int d = 0; d < 4; d++) as[(acol + d) * 68 + arow] = A[(blockIdx.y * 64 + arow) * K + k0 + acol + d];
    for (int at = t; at < 512; at += 128) bs[at] = B[(k0 + at / 64) * N + blockIdx.x * 64 + at % 64];
    __syncthreads();
    for (int k = 0; k < 8; k++) {
      for (int i = 0; i < 8; i++) x[i] = as[k * 68 + row + i];
      for (int j = 0; j < 4; j++) y[j] = bs[k * 64 + col + j];
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 4; j++) {
      int at = (blockIdx.y * 64 + row + i) * N + blockIdx.x * 64 + col + j;
      C[at] = alpha * acc[i][j] + beta * C[at];
    }
}
