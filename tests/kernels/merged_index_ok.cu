// expect: race-free=proved barriers=proved bounds=proved
// spmd: block=64 grid=1
// Both halves are turned round.
__global__ void merged(const int *in) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int v = 95 - t;
  if (t < 32) v = 31 - t;
  __syncthreads();
  s[v] = in[t];
}
