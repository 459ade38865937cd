// An assertion that holds at small launches alone.
#include <cassert>
__global__ void assertion(int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i < 100);
  out[i] = i;
}
