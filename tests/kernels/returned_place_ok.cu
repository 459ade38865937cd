// expect: race-free=proved assertions=proved
// A function that returns one of several references, of values and of places that are written through it.
#include <cassert>
template<class T> __device__ const T &largest(const T &a, const T &b) { if (a < b) return b; return a; }
__device__ int &pick(int *p, int *q, int n) {
  if (n > 3) return p[n];
  return q[n + 1];
}
__global__ void k(int *a, int *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = largest(i, 7) + largest(3, 2);
  assert(j >= 10 && (i < 7 || j == i + 3));
  pick(a, b, i) = j;
  pick(a, b, i) += 1;
}
