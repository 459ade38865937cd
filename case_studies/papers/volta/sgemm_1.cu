// spmd: block=512 grid=N/64,M/64 A[M*K] B[K*N] C[M*N] require M > 0, N > 0, K > 0, M % 64 == 0, N % 64 == 0, K % 8 == 0, M <= 8192, N <= 8192, K <= 8192
// A block of 512 threads makes a tile of 64 by 64, each thread eight rows of one column.
__global__ void sgemm(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta) {
  __shared__ float as[64 * 8], bs[8 * 64];
  int t = threadIdx.x, col = t % 64, row = t / 64 * 8;
  float acc[8] = {0.0f};
  for (int k0 = 0; k0 < K; k0 += 8) {
    as[t] = A[(blockIdx.y * 64 + t / 8) * K + k0 + t % 8];
    bs[t] = B[(k0 + t / 64) * N + blockIdx.x * 64 + t % 64];
    __syncthreads();
    for (int k = 0; k < 8; k++)
      for (int i = 0; i < 8; i++) acc[i] += as[(row + i) * 8 + k] * bs[k * 64 + col];
    __syncthreads();
  }
  for (int i = 0; i < 8; i++) {
    int at = (blockIdx.y * 64 + row + i) * N + blockIdx.x * 64 + col;
    C[at] = alpha * acc[i] + beta * C[at];
  }
}
