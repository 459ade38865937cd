// expect: race-free=refuted
// spmd: block=1024 grid=4
// A half has no room for 2049: the thread of that number is taken for the one before.
#include <cuda_fp16.h>
__global__ void k(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (__int2half_rn(i) == __int2half_rn(2048)) out[0] = i;
}
