// equality: bitwise (same k order). X: the z and w lanes of the A load are stored to each other's row of the transposed tile.
#include <cassert>
#include <cuda_runtime.h>

#define FLOAT4(pointer) (reinterpret_cast<float4 *>(&(pointer))[0])

__global__ void sgemm_8x8_a(float *a, float *b, float *c, const int M, const int N, const int K) {
  int n = blockIdx.x * blockDim.x + threadIdx.x;
  int m = blockIdx.y * blockDim.y + threadIdx.y;
  if (m < M && n < N) {
    float psum = 0.0f;
    for (int k = 0; k < K; k++) psum += a[m * K + k] * b[k * N + n];
    c[m * N + n] = psum;
  }
}

template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void sgemm_8x8_b(float *a, float *b, float *c, const int M, const int N, const int K) {
  __shared__ float s_a[BK][BM];
  __shared__ float s_b[BK][BN];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tid = ty * blockDim.x + tx;

  const int load_a_m = tid >> 1;
  const int load_a_k = (tid & 1) << 2;
  const int load_b_k = tid >> 5;
  const int load_b_n = (tid & 31) << 2;
  const int gmem_a_m = blockIdx.y * BM + load_a_m;
  const int gmem_b_n = blockIdx.x * BN + load_b_n;

  float r_c[TM][TN] = {0.0f};
  for (int bk = 0; bk < K / BK; bk++) {
    float4 va = FLOAT4(a[gmem_a_m * K + bk * BK + load_a_k]);
    s_a[load_a_k + 0][load_a_m] = va.x;
    s_a[load_a_k + 1][load_a_m] = va.y;
    s_a[load_a_k + 2][load_a_m] = va.z;
    s_a[load_a_k + 3][load_a_m] = va.w;
    FLOAT4(s_b[load_b_k][load_b_n]) = FLOAT4(b[(bk * BK + load_b_k) * N + gmem_b_n]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k++) {
#pragma unroll
      for (int m = 0; m < TM; m++) {
#pragma unroll
        for (int n = 0; n < TN; n++) {
          r_c[m][n] += s_a[k][ty * TM + m] * s_b[k][tx * TN + n];
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int m = 0; m < TM; m++) {
    const int gm = blockIdx.y * BM + ty * TM + m;
#pragma unroll
    for (int n = 0; n < TN; n += 4) {
      const int gn = blockIdx.x * BN + tx * TN + n;
      FLOAT4(c[gm * N + gn]) = FLOAT4(r_c[m][n]);
    }
  }
}

template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void sgemm_8x8_x(float *a, float *b, float *c, const int M, const int N, const int K) {
  __shared__ float s_a[BK][BM];
  __shared__ float s_b[BK][BN];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int tid = ty * blockDim.x + tx;

  const int load_a_m = tid >> 1;
  const int load_a_k = (tid & 1) << 2;
  const int load_b_k = tid >> 5;
  const int load_b_n = (tid & 31) << 2;
  const int gmem_a_m = blockIdx.y * BM + load_a_m;
  const int gmem_b_n = blockIdx.x * BN + load_b_n;

  float r_c[TM][TN] = {0.0f};
  for (int bk = 0; bk < K / BK; bk++) {
    float4 va = FLOAT4(a[gmem_a_m * K + bk * BK + load_a_k]);
    s_a[load_a_k + 0][load_a_m] = va.x;
    s_a[load_a_k + 1][load_a_m] = va.y;
    s_a[load_a_k + 3][load_a_m] = va.z;
    s_a[load_a_k + 2][load_a_m] = va.w;
    FLOAT4(s_b[load_b_k][load_b_n]) = FLOAT4(b[(bk * BK + load_b_k) * N + gmem_b_n]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; k++) {
#pragma unroll
      for (int m = 0; m < TM; m++) {
#pragma unroll
        for (int n = 0; n < TN; n++) {
          r_c[m][n] += s_a[k][ty * TM + m] * s_b[k][tx * TN + n];
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int m = 0; m < TM; m++) {
    const int gm = blockIdx.y * BM + ty * TM + m;
#pragma unroll
    for (int n = 0; n < TN; n += 4) {
      const int gn = blockIdx.x * BN + tx * TN + n;
      FLOAT4(c[gm * N + gn]) = FLOAT4(r_c[m][n]);
    }
  }
}

void run_sgemm_8x8_a(float *a, float *b, float *c, const int M, const int N, const int K) {
  dim3 block(32, 8);
  dim3 grid((N + 31) / 32, (M + 7) / 8);
  sgemm_8x8_a<<<grid, block>>>(a, b, c, M, N, K);
}

void run_sgemm_8x8_b(float *a, float *b, float *c, const int M, const int N, const int K) {
  assert(M % 128 == 0);
  assert(N % 128 == 0);
  assert(K % 8 == 0);
  dim3 block(16, 16);
  dim3 grid((N + 127) / 128, (M + 127) / 128);
  sgemm_8x8_b<128, 128, 8, 8, 8><<<grid, block>>>(a, b, c, M, N, K);
}

void run_sgemm_8x8_x(float *a, float *b, float *c, const int M, const int N, const int K) {
  assert(M % 128 == 0);
  assert(N % 128 == 0);
  assert(K % 8 == 0);
  dim3 block(16, 16);
  dim3 grid((N + 127) / 128, (M + 127) / 128);
  sgemm_8x8_x<128, 128, 8, 8, 8><<<grid, block>>>(a, b, c, M, N, K);
}
