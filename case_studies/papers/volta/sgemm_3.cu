// spmd: block=128 grid=N/64,M/64 A[M*K] B[K*N] C[M*N] require M > 0, N > 0, K > 0, M % 64 == 0, N % 64 == 0, K % 8 == 0, M <= 8192, N <= 8192, K <= 8192
// By 128 threads, each eight rows of four columns; elements are moved as float4, A's tile is transposed on the way in.
__global__ void sgemm(const float *A, const float *B, float *C, int M, int N, int K, float alpha, float beta) {
  __shared__ float as[8 * 64], bs[8 * 64];
  int t = threadIdx.x, col = t % 16 * 4, row = t / 16 * 8;
  int arow = t / 2, acol = t % 2 * 4, brow = t / 16, bcol = t % 16 * 4;
  float acc[8][4] = {{0.0f}};
  for (int k0 = 0; k0 < K; k0 += 8) {
    float4 v = *reinterpret_cast<const float4 *>(&A[(blockIdx.y * 64 + arow) * K + k0 + acol]);
    as[(acol + 0) * 64 + arow] = v.x;
    as[(acol + 1) * 64 + arow] = v.y;
    as[(acol + 2) * 64 + arow] = v.z;
    as[(acol + 3) * 64 + arow] = v.w;
    *reinterpret_cast<float4 *>(&bs[brow * 64 + bcol]) =
        *reinterpret_cast<const float4 *>(&B[(k0 + brow) * N + blockIdx.x * 64 + bcol]);
    __syncthreads();
    for (int k = 0; k < 8; k++)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += as[k * 64 + row + i] * bs[k * 64 + col + j];
    __syncthreads();
  }
  for (int i = 0; i < 8; i++) {
    float4 *at = reinterpret_cast<float4 *>(&C[(blockIdx.y * 64 + row + i) * N + blockIdx.x * 64 + col]);
    float4 c = *at;
    *at = make_float4(alpha * acc[i][0] + beta * c.x, alpha * acc[i][1] + beta * c.y, alpha * acc[i][2] + beta * c.z,
                      alpha * acc[i][3] + beta * c.w);
  }
}
