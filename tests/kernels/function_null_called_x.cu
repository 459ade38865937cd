// expect: assertions=refuted
// Some threads call through a null pointer to a function.
typedef int (*Map)(int);
__device__ int same(int x) { return x; }
__global__ void k(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Map f = i < n ? same : nullptr;
  a[i] = f(i);
}
