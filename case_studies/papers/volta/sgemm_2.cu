// spmd: block=512 grid=N/64,M/64 A[M*K] B[K*N] C[M*N] require M > 0, N > 0, K > 0, M % 64 == 0, N % 64 == 0, K % 8 == 0, M <= 8192, N <= 8192, K <= 8192
// The same tile by 512 threads, each four rows of two columns, its operands held in registers for a step.
__global__ void sgemm(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta) {
  __shared__ float as[64 * 8], bs[8 * 64];
  int t = threadIdx.x, col = t % 32 * 2, row = t / 32 * 4;
  float acc[4][2] = {{0.0f}}, x[4], y[2];
  for (int k0 = 0; k0 < K; k0 += 8) {
    as[t] = A[(blockIdx.y * 64 + t / 8) * K + k0 + t % 8];
    bs[t] = B[(k0 + t / 64) * N + blockIdx.x * 64 + t % 64];
    __syncthreads();
    for (int k = 0; k < 8; k++) {
      for (int i = 0; i < 4; i++) x[i] = as[(row + i) * 8 + k];
      for (int j = 0; j < 2; j++) y[j] = bs[k * 64 + col + j];
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) acc[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 2; j++) {
      int at = (blockIdx.y * 64 + row + i) * N + blockIdx.x * 64 + col + j;
      C[at] = alpha * acc[i][j] + beta * C[at];
    }
}
