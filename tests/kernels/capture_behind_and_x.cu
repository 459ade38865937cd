// expect: race-free=refuted
// The value is taken behind the assignment on the left: it is the same for a pair of threads.
template <class F> __device__ int apply(F f) { return f(); }
__global__ void k(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = i;
  int at = (j = i / 2, true) ? apply([j] { return j; }) : i;
  a[at] = i;
}
