// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=64 grid=1 require n > 0
// The same with a round at least.
__global__ void pick(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, x = 0;
  for (int i = 0; i < n; i++) {
    x = t;
    __syncthreads();
  }
  s[t] = x;
  __syncthreads();
  out[s[t]] = t;
}
