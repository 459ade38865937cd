// expect: race-free=proved barriers=proved
// The first read is plain. Where it is stale, the swap fails and gives what is there: an assumption says that it reads a whole word.
__device__ void add(double *p, double v) {
  unsigned long long *a = (unsigned long long *)p, old = *a, assumed;
  do {
    assumed = old;
    old = atomicCAS(a, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
  } while (assumed != old);
}
__global__ void k(const double *x, double *bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) add(&bins[i % 8], x[i]);
}
