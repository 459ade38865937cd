// expect: race-free=proved assertions=proved
// spmd: block=64 require s > 0, ((s - 1) & s) == 0
#include <assert.h>
// Of a negative number too the mask gives what is left when it is divided, rounded down.
__global__ void wrap(int *out, int s) {
  int at = blockIdx.x * blockDim.x + threadIdx.x;
  int rest = (at - 1000) & (s - 1), down = (at - 1000) & -s;
  assert(rest >= 0 && rest < s && rest + down == at - 1000);
  out[at] = rest;
}
