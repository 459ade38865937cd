// spmd: block=16,16 grid=N/16,M/16 A[M*K] B[K*N] C[M*N] require M > 0, N > 0, K > 0, M % 64 == 0, N % 64 == 0, K % 8 == 0, M <= 8192, N <= 8192, K <= 8192
// One thread an element, straight from global memory.
__global__ void sgemm(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta) {
  int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
  float sum = 0.0f;
  for (int k = 0; k < K; k++) sum += A[i * K + k] * B[k * N + j];
  C[i * N + j] = alpha * sum + beta * C[i * N + j];
}
