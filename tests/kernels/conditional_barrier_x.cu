// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// All threads agree on n, but without the barrier the reads are not ordered.
__global__ void perhaps(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[t];
  if (n > 0) __syncthreads();
  out[t] = s[63 - t];
}
