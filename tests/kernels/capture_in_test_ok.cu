// expect: race-free=proved barriers=proved
// A capture is taken where the lambda is evaluated: behind the assignment, in each round of the loop.
template <class F> __device__ int apply(F f) { return f(); }
__global__ void k(int *a, int n) {
  int i = n;
  if (i = 0, apply([=] { return i; }) == 0) {
    __shared__ int row[64];
    if (blockDim.x != 64) return;
    for (i = 0; apply([i] { return i < 2; }); i++) {
      row[threadIdx.x] = i + threadIdx.x;
      __syncthreads();
      a[2 * (blockIdx.x * 64 + threadIdx.x) + apply([=] { return i; })] = row[63 - threadIdx.x];
      __syncthreads();
    }
  }
}
