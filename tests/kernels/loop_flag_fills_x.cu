// expect: order-free=refuted
// spmd: block=64 grid=1
// The flag is only set in a round: without one nobody fills the array.
__global__ void fill(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, f = 0;
  for (int i = 0; i < n; i++) {
    f = 1;
    __syncthreads();
  }
  if (f) s[t] = 1;
  __syncthreads();
  out[t] = s[t];
}
