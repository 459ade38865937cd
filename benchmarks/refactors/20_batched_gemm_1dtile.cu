// equality: bitwise (same k order; padding adds zeros). X: the row guard is on the last row of the thread's eight, so a partly filled group of rows is not written (M % 8 != 0).
#include <cuda_runtime.h>

#define CEIL_DIV(M, N) (((M) + (N)-1) / (N))

// C[b] = A[b] * B[b], row major, A: M x K, B: K x N
__global__ void bmm_a(const float *A, const float *B, float *C, int M, int N, int K) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int batch = blockIdx.z;
  A += batch * M * K;
  B += batch * K * N;
  C += batch * M * N;
  if (row < M && col < N) {
    float tmp = 0.0f;
    for (int i = 0; i < K; ++i) tmp += A[row * K + i] * B[i * N + col];
    C[row * N + col] = tmp;
  }
}

template <const int BM, const int BN, const int BK, const int TM>
__global__ void bmm_b(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  A += blockIdx.z * M * K;
  B += blockIdx.z * K * N;
  C += blockIdx.z * M * N;
  const int cRow = blockIdx.y;
  const int cCol = blockIdx.x;
  const int threadCol = threadIdx.x % BN;
  const int threadRow = threadIdx.x / BN;
  const int innerColA = threadIdx.x % BK;
  const int innerRowA = threadIdx.x / BK;
  const int innerColB = threadIdx.x % BN;
  const int innerRowB = threadIdx.x / BN;

  float threadResults[TM] = {0.0f};
  for (int bkIdx = 0; bkIdx < K; bkIdx += BK) {
    const int ar = cRow * BM + innerRowA;
    const int ac = bkIdx + innerColA;
    const int br = bkIdx + innerRowB;
    const int bc = cCol * BN + innerColB;
    As[innerRowA * BK + innerColA] = (ar < M && ac < K) ? A[ar * K + ac] : 0.0f;
    Bs[innerRowB * BN + innerColB] = (br < K && bc < N) ? B[br * N + bc] : 0.0f;
    __syncthreads();
    for (int dotIdx = 0; dotIdx < BK; ++dotIdx) {
      float tmpB = Bs[dotIdx * BN + threadCol];
      for (int resIdx = 0; resIdx < TM; ++resIdx) {
        threadResults[resIdx] += As[(threadRow * TM + resIdx) * BK + dotIdx] * tmpB;
      }
    }
    __syncthreads();
  }

  const int col = cCol * BN + threadCol;
  for (int resIdx = 0; resIdx < TM; ++resIdx) {
    const int row = cRow * BM + threadRow * TM + resIdx;
    if (row < M && col < N) C[row * N + col] = threadResults[resIdx];
  }
}

template <const int BM, const int BN, const int BK, const int TM>
__global__ void bmm_x(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[BM * BK];
  __shared__ float Bs[BK * BN];
  A += blockIdx.z * M * K;
  B += blockIdx.z * K * N;
  C += blockIdx.z * M * N;
  const int cRow = blockIdx.y;
  const int cCol = blockIdx.x;
  const int threadCol = threadIdx.x % BN;
  const int threadRow = threadIdx.x / BN;
  const int innerColA = threadIdx.x % BK;
  const int innerRowA = threadIdx.x / BK;
  const int innerColB = threadIdx.x % BN;
  const int innerRowB = threadIdx.x / BN;

  float threadResults[TM] = {0.0f};
  for (int bkIdx = 0; bkIdx < K; bkIdx += BK) {
    const int ar = cRow * BM + innerRowA;
    const int ac = bkIdx + innerColA;
    const int br = bkIdx + innerRowB;
    const int bc = cCol * BN + innerColB;
    As[innerRowA * BK + innerColA] = (ar < M && ac < K) ? A[ar * K + ac] : 0.0f;
    Bs[innerRowB * BN + innerColB] = (br < K && bc < N) ? B[br * N + bc] : 0.0f;
    __syncthreads();
    for (int dotIdx = 0; dotIdx < BK; ++dotIdx) {
      float tmpB = Bs[dotIdx * BN + threadCol];
      for (int resIdx = 0; resIdx < TM; ++resIdx) {
        threadResults[resIdx] += As[(threadRow * TM + resIdx) * BK + dotIdx] * tmpB;
      }
    }
    __syncthreads();
  }

  const int col = cCol * BN + threadCol;
  const int row0 = cRow * BM + threadRow * TM;
  if (row0 + TM - 1 < M && col < N) {
    for (int resIdx = 0; resIdx < TM; ++resIdx) C[(row0 + resIdx) * N + col] = threadResults[resIdx];
  }
}

void run_bmm_a(const float *A, const float *B, float *C, int batch, int M, int N, int K) {
  dim3 block(16, 16);
  dim3 grid(CEIL_DIV(N, 16), CEIL_DIV(M, 16), batch);
  bmm_a<<<grid, block>>>(A, B, C, M, N, K);
}

void run_bmm_b(const float *A, const float *B, float *C, int batch, int M, int N, int K) {
  dim3 grid(CEIL_DIV(N, 64), CEIL_DIV(M, 64), batch);
  bmm_b<64, 64, 8, 8><<<grid, (64 * 64) / 8>>>(A, B, C, M, N, K);
}

void run_bmm_x(const float *A, const float *B, float *C, int batch, int M, int N, int K) {
  dim3 grid(CEIL_DIV(N, 64), CEIL_DIV(M, 64), batch);
  bmm_x<64, 64, 8, 8><<<grid, (64 * 64) / 8>>>(A, B, C, M, N, K);
}
