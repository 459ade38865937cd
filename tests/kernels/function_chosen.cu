// expect: race-free=proved barriers=proved order-free=proved assertions=proved
// A pointer to functions that is set twice is whichever it was set to.
__device__ int add(int a, int b) { return a + b; }
__device__ int mul(int a, int b) { return a * b; }
__device__ int chosen(int v, bool sum) {
  int (*op)(int, int) = mul;
  if (sum) op = add;
  return op(v, 5);
}
__global__ void k(int *out) {
  assert(chosen(2, true) == 7 && chosen(2, false) == 10);
  out[blockIdx.x * blockDim.x + threadIdx.x] = chosen(3, true);
}
