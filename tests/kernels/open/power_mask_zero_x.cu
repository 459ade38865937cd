// expect: assertions=refuted
// spmd: block=64 grid=1 require s >= 0, (s & (s - 1)) == 0
#include <assert.h>
// Nought passes the test for a power of two, and its mask keeps all bits.
__global__ void wrap(int *out, int s) {
  int at = threadIdx.x;
  int rest = at & (s - 1);
  assert(rest < s);
  out[at] = rest;
}
