// expect: race-free=proved barriers=proved order-free=proved bounds=proved
// spmd: block=64
// The same, looked at before.
__global__ void fill(int *unused) {
  __shared__ int s[64];
  int *p = threadIdx.x < 32 ? s + threadIdx.x : nullptr;
  if (p != nullptr) *p = threadIdx.x;
}
