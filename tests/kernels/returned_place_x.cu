// expect: race-free=refuted
// Both places may be of one array, one apart.
template<class T> __device__ const T &largest(const T &a, const T &b) { if (a < b) return b; return a; }
__device__ int &pick(int *p, int *q, int n) {
  if (n > 3) return p[n];
  return q[n + 1];
}
__global__ void k(int *a) { pick(a, a, threadIdx.x) = threadIdx.x; }
