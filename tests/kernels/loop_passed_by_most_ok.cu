// expect: verdict=proved race-free=proved assertions=proved
// spmd: block=64 grid=1 require n >= 0, n <= 9
// The upper half makes the rounds; of the lower half each takes its own number from 20, and the last, 31, leaves -11.
#include <assert.h>
__global__ void passed_by(unsigned *out, int n) {
  unsigned t = threadIdx.x;
  unsigned v = 20;
  if (t >= 32) {
    for (int i = 0; i < n; i++) v += 10;
    v += t;
  }
  assert(v - t < 4294967286u || v - t >= 4294967285u);
  out[t] = v;
}
