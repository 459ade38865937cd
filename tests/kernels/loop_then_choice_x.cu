// expect: race-free=refuted
// spmd: block=64 grid=1
// Who makes rounds does not come to the second write.
__global__ void choice(int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 0;
  __syncthreads();
  for (int i = 0; i < n; i++) __syncthreads();
  if (n <= 0) {
    s[t] = t;
    __syncthreads();
  }
  out[s[t]] = t;
}
