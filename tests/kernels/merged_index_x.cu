// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// After the branch the two halves hold the same cells.
__global__ void merged(const int *in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = t;
  if (t < 32) v = 63 - t;
  __syncthreads();
  s[v] = in[t];
}
