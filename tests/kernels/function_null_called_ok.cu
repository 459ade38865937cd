// expect: race-free=proved assertions=proved
// Only threads that have a function call it.
typedef int (*Map)(int);
__device__ int same(int x) { return x; }
__global__ void k(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Map f = i < n ? same : nullptr;
  if (f) a[i] = f(i);
}
