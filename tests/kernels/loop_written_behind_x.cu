// expect: race-free=refuted
// spmd: block=64 grid=1
// What is written behind the loop does not come before a read in it.
__global__ void early(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  for (int k = 0; k < n; k++) {
    if (k >= 1) out[s[t]] = t;
    __syncthreads();
  }
  s[t] = t;
}
