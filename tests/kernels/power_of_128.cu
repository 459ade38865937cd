// expect: race-free=proved barriers=proved assertions=unknown
// spmd: block=1 grid=1
// A product of 128 numbers: on such ones solvers take no notice of limits, so none is asked.
#include <assert.h>
__global__ void power(unsigned *out, unsigned n) {
  unsigned long long a = n;
  for (int i = 0; i < 7; i++) a = a * a;
  assert(a % 3 != 2);
  out[0] = 1;
}
