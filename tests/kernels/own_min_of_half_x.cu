// expect: race-free=refuted
// spmd: block=32 grid=1
// A program's own function gives each thread the same number.
#include <cuda_fp16.h>
static __device__ __forceinline__ half min(half a, half b) { return b; }
__global__ void k(int *out) {
  out[__half2int_rn(min(__int2half_rn(threadIdx.x), __float2half(1.0f)))] = threadIdx.x;
}
