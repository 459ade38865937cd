// expect: assertions=proved race-free=proved
#include <assert.h>
// spmd: require n > 0
// What is asserted follows from the test around it.
__global__ void fill(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    assert(i >= 0 && i <= n - 1);
    out[i] = n;
  }
}
