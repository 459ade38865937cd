// expect: order-free=unknown
#include <assert.h>
// spmd: block=64 grid=1
// With another value in the cell that nobody wrote the kernel does not end.
__global__ void spin(int *a, int n) {
  __shared__ int s[64];
  int m = s[0];
  assert((m & 1) >= 0);
  if (m == 77) {
    while (true) {
      if (a == nullptr) break;
    }
  }
  a[threadIdx.x] = n;
}
