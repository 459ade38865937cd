// expect: assertions=proved race-free=proved
#include <assert.h>
// The counter stays between its bounds in every round.
__global__ void walk(int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
  for (int k = n; k > 0; k--) {
    assert(k <= n && k >= 1);
    sum += k;
  }
  out[i] = sum;
}
