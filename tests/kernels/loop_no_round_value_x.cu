// expect: race-free=refuted
// spmd: block=64 grid=1
// Without a round every thread keeps 0, and all go to out[0]: a loop with a barrier may be left at once.
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
