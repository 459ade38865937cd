// expect: assertions=refuted
#include <assert.h>
// One thread may be at n.
__global__ void fill(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) {
    assert(i != n);
    out[i] = n;
  }
}
