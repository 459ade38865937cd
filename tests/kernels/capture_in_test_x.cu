// expect: race-free=refuted
// The barrier stands where the captured value is 1, but it is 0 there.
template <class F> __device__ int apply(F f) { return f(); }
__global__ void k(int *a) {
  __shared__ int row[64];
  if (blockDim.x != 64) return;
  int i = 1;
  row[threadIdx.x] = threadIdx.x;
  if (i = 0, apply([=] { return i; }) == 1) __syncthreads();
  a[blockIdx.x * 64 + threadIdx.x] = row[63 - threadIdx.x];
}
