// expect: race-free=proved
// spmd: block=32 grid=1
// A program's own functions of these names for half precision are called, not the library's: this one adds.
#include <cuda_fp16.h>
static __device__ __forceinline__ half min(half a, half b) { return __hadd(a, b); }
static __device__ __forceinline__ half max(half a, half b) { return __hsub(a, b); }
__global__ void k(int *out) {
  half a = __int2half_rn(threadIdx.x), b = __float2half(1.0f);
  out[__half2int_rn(min(a, b)) + __half2int_rn(max(a, b)) + min(3, 4)] = threadIdx.x;
}
