// expect: assertions=refuted
// spmd: block=1 grid=1
// What stands in the block happens once, in order: three is left, not two.
#include <cassert>
__global__ void k(int *a) {
  int n = 1;
  int m = ({ n++; n++; n; });
  a[0] = m;
  assert(n == 2 || m != 3);
}
