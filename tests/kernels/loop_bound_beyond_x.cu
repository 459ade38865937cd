// expect: verdict=refuted assertions=refuted
// spmd: block=2 grid=1 require n >= -9223372036854775807ll, n <= -9223372036854775806ll
// The sum always leaves its type: that it does not cannot be assumed.
#include <assert.h>
__global__ void beyond(unsigned *out, long long n) {
  unsigned r = -(unsigned)(n - 0xffffffffll);
  assert(r % 3 != 1);
  out[threadIdx.x] = r;
}
