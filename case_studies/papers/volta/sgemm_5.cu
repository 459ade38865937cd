// spmd: block=128 grid=N/64,M/64 A[M*K] B[K*N] C[M*N] require M > 0, N > 0, K > 0, M % 64 == 0, N % 64 == 0, K % 8 == 0, M <= 8192, N <= 8192, K <= 8192
// The same, B's tile stored so that neighbouring threads read neighbouring cells: columns j, j + 16, j + 32, j + 48 a thread.
__global__ void sgemm(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta) {
  __shared__ float as[8 * 64], bs[8 * 64];
  int t = threadIdx.x, lane = t % 16, row = t / 16 * 8;
  float acc[8][4] = {{0.0f}};
  for (int k0 = 0; k0 < K; k0 += 8) {
    for (int at = t; at < 512; at += 128) {
      as[at % 8 * 64 + at / 8] = A[(blockIdx.y * 64 + at / 8) * K + k0 + at % 8];
      bs[at] = B[(k0 + at / 64) * N + blockIdx.x * 64 + at % 64];
    }
    __syncthreads();
    for (int k = 0; k < 8; k++)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += as[k * 64 + row + i] * bs[k * 64 + lane + 16 * j];
    __syncthreads();
  }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 4; j++) {
      int at = (blockIdx.y * 64 + row + i) * N + blockIdx.x * 64 + lane + 16 * j;
      C[at] = alpha * acc[i][j] + beta * C[at];
    }
}
