// equality: bitwise. X: the tail loop stops one element early (last element unwritten when n % 8 != 0).
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define HALF2(value) (reinterpret_cast<half2 *>(&(value))[0])

__global__ void half_add_pack_a(half *a, half *b, half *c, int N) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < N)
    c[idx] = __hadd(a[idx], b[idx]);
}

// 8 halfs per thread as four half2
__global__ void half_add_pack_b(half *a, half *b, half *c, int N) {
  int idx = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (idx + 7 < N) {
#pragma unroll
    for (int i = 0; i < 8; i += 2) {
      HALF2(c[idx + i]) = __hadd2(HALF2(a[idx + i]), HALF2(b[idx + i]));
    }
  } else {
    for (int i = 0; idx + i < N; i++) {
      c[idx + i] = __hadd(a[idx + i], b[idx + i]);
    }
  }
}

__global__ void half_add_pack_x(half *a, half *b, half *c, int N) {
  int idx = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (idx + 7 < N) {
#pragma unroll
    for (int i = 0; i < 8; i += 2) {
      HALF2(c[idx + i]) = __hadd2(HALF2(a[idx + i]), HALF2(b[idx + i]));
    }
  } else {
    for (int i = 0; idx + i + 1 < N; i++) {
      c[idx + i] = __hadd(a[idx + i], b[idx + i]);
    }
  }
}

void run_half_add_pack_a(half *a, half *b, half *c, int N) {
  int threads = 256;
  int blocks = (N + threads - 1) / threads;
  half_add_pack_a<<<blocks, threads>>>(a, b, c, N);
}

void run_half_add_pack_b(half *a, half *b, half *c, int N) {
  int threads = 128;
  int blocks = (N + threads * 8 - 1) / (threads * 8);
  half_add_pack_b<<<blocks, threads>>>(a, b, c, N);
}

void run_half_add_pack_x(half *a, half *b, half *c, int N) {
  int threads = 128;
  int blocks = (N + threads * 8 - 1) / (threads * 8);
  half_add_pack_x<<<blocks, threads>>>(a, b, c, N);
}
