// expect: assertions=proved
// spmd: block=1 grid=1
// What is returned is a place, not its value: a later write shows.
#include <cassert>
template<class T> __device__ const T &largest(const T &a, const T &b) { if (a < b) return b; return a; }
__device__ int &unused(int *p, int *q, int n) {
  if (n > 3) return p[n];
  return q[n + 1];
}
__device__ int &either(int &a, int &b, bool first) { if (first) return a; return b; }
__global__ void k(int *out, int n) {
  int x = 1, y = 2;
  int &r = either(x, y, n > 0);
  r = 5;
  x += 1;
  assert(n > 0 ? (r == 6 && y == 2) : (r == 5 && x == 2));
  out[0] = x + y;
}
