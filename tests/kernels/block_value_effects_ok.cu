// expect: assertions=proved
// spmd: block=1 grid=1
// What stands in the block happens once, in order, and its loop may be left.
#include <cassert>
__global__ void k(int *a) {
  int n = 1;
  int m = ({ int r = 0; for (int i = 0; i < 9; i++) { if (i == 4) break; r += i; } n++; r; });
  a[0] = m;
  assert(n == 2 && m == 6);
}
