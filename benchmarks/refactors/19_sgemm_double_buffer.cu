// equality: bitwise (same k order). Tiled 16 against 4x4 register tile with two shared buffers. X: the final compute always reads buffer 0, stale when K / 16 is even.
#include <cassert>
#include <cuda_runtime.h>

#define BM 64
#define BN 64
#define BK 16
#define TM 4
#define TN 4
#define TS 16

__global__ void sgemm_dbuf_a(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M,
                             int N, int K) {
  __shared__ float sA[TS][TS];
  __shared__ float sB[TS][TS];
  const int row = blockIdx.y * TS + threadIdx.y;
  const int col = blockIdx.x * TS + threadIdx.x;
  float sum = 0.f;
  for (int k0 = 0; k0 < K; k0 += TS) {
    sA[threadIdx.y][threadIdx.x] = A[row * K + k0 + threadIdx.x];
    sB[threadIdx.y][threadIdx.x] = B[(k0 + threadIdx.y) * N + col];
    __syncthreads();
    for (int k = 0; k < TS; k++) sum += sA[threadIdx.y][k] * sB[k][threadIdx.x];
    __syncthreads();
  }
  C[row * N + col] = sum;
}

__global__ void __launch_bounds__(256) sgemm_dbuf_b(const float *__restrict__ A, const float *__restrict__ B,
                                                    float *__restrict__ C, int M, int N, int K) {
  __shared__ float sA[2][BK][BM];
  __shared__ float sB[2][BK][BN];
  const int tid = threadIdx.x;
  const int tx = tid % 16;
  const int ty = tid / 16;
  const int a_m = tid / 4;
  const int a_k = (tid % 4) * 4;
  const int b_k = tid / 16;
  const int b_n = (tid % 16) * 4;
  const float *Ap = A + (blockIdx.y * BM + a_m) * K + a_k;
  const float *Bp = B + b_k * N + blockIdx.x * BN + b_n;
  const int ntiles = K / BK;

  float acc[TM][TN] = {};
  float4 ra = *reinterpret_cast<const float4 *>(Ap);
  float4 rb = *reinterpret_cast<const float4 *>(Bp);
  sA[0][a_k + 0][a_m] = ra.x;
  sA[0][a_k + 1][a_m] = ra.y;
  sA[0][a_k + 2][a_m] = ra.z;
  sA[0][a_k + 3][a_m] = ra.w;
  *reinterpret_cast<float4 *>(&sB[0][b_k][b_n]) = rb;
  __syncthreads();

  for (int t = 1; t < ntiles; t++) {
    const int cur = (t - 1) & 1;
    const int nxt = t & 1;
    ra = *reinterpret_cast<const float4 *>(Ap + t * BK);
    rb = *reinterpret_cast<const float4 *>(Bp + t * BK * N);
#pragma unroll
    for (int k = 0; k < BK; k++)
#pragma unroll
      for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) acc[i][j] += sA[cur][k][ty * TM + i] * sB[cur][k][tx * TN + j];
    sA[nxt][a_k + 0][a_m] = ra.x;
    sA[nxt][a_k + 1][a_m] = ra.y;
    sA[nxt][a_k + 2][a_m] = ra.z;
    sA[nxt][a_k + 3][a_m] = ra.w;
    *reinterpret_cast<float4 *>(&sB[nxt][b_k][b_n]) = rb;
    __syncthreads();
  }

  const int last = (ntiles - 1) & 1;
#pragma unroll
  for (int k = 0; k < BK; k++)
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
      for (int j = 0; j < TN; j++) acc[i][j] += sA[last][k][ty * TM + i] * sB[last][k][tx * TN + j];

  for (int i = 0; i < TM; i++) {
    const int row = blockIdx.y * BM + ty * TM + i;
    const int col = blockIdx.x * BN + tx * TN;
    *reinterpret_cast<float4 *>(&C[row * N + col]) = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
  }
}

__global__ void __launch_bounds__(256) sgemm_dbuf_x(const float *__restrict__ A, const float *__restrict__ B,
                                                    float *__restrict__ C, int M, int N, int K) {
  __shared__ float sA[2][BK][BM];
  __shared__ float sB[2][BK][BN];
  const int tid = threadIdx.x;
  const int tx = tid % 16;
  const int ty = tid / 16;
  const int a_m = tid / 4;
  const int a_k = (tid % 4) * 4;
  const int b_k = tid / 16;
  const int b_n = (tid % 16) * 4;
  const float *Ap = A + (blockIdx.y * BM + a_m) * K + a_k;
  const float *Bp = B + b_k * N + blockIdx.x * BN + b_n;
  const int ntiles = K / BK;

  float acc[TM][TN] = {};
  float4 ra = *reinterpret_cast<const float4 *>(Ap);
  float4 rb = *reinterpret_cast<const float4 *>(Bp);
  sA[0][a_k + 0][a_m] = ra.x;
  sA[0][a_k + 1][a_m] = ra.y;
  sA[0][a_k + 2][a_m] = ra.z;
  sA[0][a_k + 3][a_m] = ra.w;
  *reinterpret_cast<float4 *>(&sB[0][b_k][b_n]) = rb;
  __syncthreads();

  for (int t = 1; t < ntiles; t++) {
    const int cur = (t - 1) & 1;
    const int nxt = t & 1;
    ra = *reinterpret_cast<const float4 *>(Ap + t * BK);
    rb = *reinterpret_cast<const float4 *>(Bp + t * BK * N);
#pragma unroll
    for (int k = 0; k < BK; k++)
#pragma unroll
      for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++) acc[i][j] += sA[cur][k][ty * TM + i] * sB[cur][k][tx * TN + j];
    sA[nxt][a_k + 0][a_m] = ra.x;
    sA[nxt][a_k + 1][a_m] = ra.y;
    sA[nxt][a_k + 2][a_m] = ra.z;
    sA[nxt][a_k + 3][a_m] = ra.w;
    *reinterpret_cast<float4 *>(&sB[nxt][b_k][b_n]) = rb;
    __syncthreads();
  }

#pragma unroll
  for (int k = 0; k < BK; k++)
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
      for (int j = 0; j < TN; j++) acc[i][j] += sA[0][k][ty * TM + i] * sB[0][k][tx * TN + j];

  for (int i = 0; i < TM; i++) {
    const int row = blockIdx.y * BM + ty * TM + i;
    const int col = blockIdx.x * BN + tx * TN;
    *reinterpret_cast<float4 *>(&C[row * N + col]) = make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
  }
}

void run_sgemm_dbuf_a(const float *A, const float *B, float *C, int M, int N, int K) {
  assert(M % TS == 0 && N % TS == 0 && K % TS == 0);
  dim3 block(TS, TS);
  dim3 grid(N / TS, M / TS);
  sgemm_dbuf_a<<<grid, block>>>(A, B, C, M, N, K);
}

void run_sgemm_dbuf_b(const float *A, const float *B, float *C, int M, int N, int K) {
  assert(M % BM == 0 && N % BN == 0 && K % BK == 0);
  dim3 grid(N / BN, M / BM);
  sgemm_dbuf_b<<<grid, 256>>>(A, B, C, M, N, K);
}

void run_sgemm_dbuf_x(const float *A, const float *B, float *C, int M, int N, int K) {
  assert(M % BM == 0 && N % BN == 0 && K % BK == 0);
  dim3 grid(N / BN, M / BM);
  sgemm_dbuf_x<<<grid, 256>>>(A, B, C, M, N, K);
}
