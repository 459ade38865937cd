// expect: assertions=refuted
// spmd: block=64 grid=1 require s > 1, ((s - 1) & s) == 0
#include <assert.h>
// C's remainder is another one below zero.
__global__ void wrap(int *out, int s) {
  int at = threadIdx.x;
  int rest = (at - 64) & (s - 1);
  assert(rest >= 0 && (at - 64) % s >= 0);
  out[at] = rest;
}
