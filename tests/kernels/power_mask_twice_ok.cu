// expect: race-free=proved assertions=proved
// spmd: block=64 require s > 0, (s & (s - 1)) == 0, t > 0, (t & (t - 1)) == 0, s <= 1024, t <= 1024
#include <assert.h>
// Twice a power of two is one, and so is the product of two.
__global__ void halves(int *data, int s, int t) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int in = at & (2 * s - 1), of = at & (s * t - 1);
  assert(in < 2 * s && of < s * t);
  if (in < s) {
    int a = data[at], b = data[at + s];
    data[at] = a + b;
    data[at + s] = a - b;
  }
}
