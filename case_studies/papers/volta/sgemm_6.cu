// spmd: block=256 grid=N/64,M/64 A[M*K] B[K*N] C[M*N] require M > 0, N > 0, K > 0, M % 64 == 0, N % 64 == 0, K % 8 == 0, M <= 8192, N <= 8192, K <= 8192
// By 256 threads with two buffers: while one pair of tiles is multiplied, the next is on its way.
__global__ void sgemm(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta) {
  __shared__ float as[2][64 * 8], bs[2][8 * 64];
  int t = threadIdx.x, col = t % 16 * 4, row = t / 16 * 4, now = 0;
  float acc[4][4] = {{0.0f}};
  for (int at = t; at < 512; at += 256) {
    as[0][at] = A[(blockIdx.y * 64 + at / 8) * K + at % 8];
    bs[0][at] = B[at / 64 * N + blockIdx.x * 64 + at % 64];
  }
  __syncthreads();
  for (int k0 = 0; k0 < K; k0 += 8) {
    if (k0 + 8 < K)
      for (int at = t; at < 512; at += 256) {
        as[1 - now][at] = A[(blockIdx.y * 64 + at / 8) * K + k0 + 8 + at % 8];
        bs[1 - now][at] = B[(k0 + 8 + at / 64) * N + blockIdx.x * 64 + at % 64];
      }
    for (int k = 0; k < 8; k++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += as[now][(row + i) * 8 + k] * bs[now][k * 64 + col + j];
    __syncthreads();
    now = 1 - now;
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      int at = (blockIdx.y * 64 + row + i) * N + blockIdx.x * 64 + col + j;
      C[at] = alpha * acc[i][j] + beta * C[at];
    }
}
