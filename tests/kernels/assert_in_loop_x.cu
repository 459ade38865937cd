// expect: assertions=refuted
// spmd: require n <= 40
#include <assert.h>
// The tenth round is one too many.
__global__ void walk(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < n; k++) {
    assert(k < 10);
    out[i] = k;
  }
}
