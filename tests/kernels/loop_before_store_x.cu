// expect: order-free=refuted race-free=proved
// spmd: block=64 grid=1
// A thread that leaves its loop by the test stores nothing, and the cell is read all the same.
__global__ void find(int *out, const int *in, int n) {
  __shared__ int s[64];
  int i = 0, t = threadIdx.x;
  for (; i < n; i++) {
    if (in[t * n + i] == 7) break;
  }
  if (i < n) s[t] = 1;
  __syncthreads();
  out[t] = s[t];
}
