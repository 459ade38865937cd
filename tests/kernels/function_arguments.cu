// expect: race-free=proved barriers=proved order-free=proved assertions=proved
// Functions handed to functions, as they are and through a chain.
__device__ int add(int a, int b) { return a + b; }
__device__ int mul(int a, int b) { return a * b; }
template <class Op> __device__ int fold(int v, Op op) {
  for (int i = 1; i < 5; i++) v = op(v, i);
  return v;
}
template <class T, class Op> __device__ T twice(T v, Op op) { return op(op(v, 2), 3); }
__device__ int handed(int v, int (*op)(int, int)) { return twice(v, op) + fold(v, op); }
__global__ void k(int *out) {
  assert(fold(1, add) == 11 && fold(1, mul) == 24);
  assert(handed(1, add) == 17 && handed(1, mul) == 30);
  out[blockIdx.x * blockDim.x + threadIdx.x] = handed(2, add);
}
