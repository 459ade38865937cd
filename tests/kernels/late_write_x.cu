// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=1
// The tile is written for the next user after the last barrier, while others still read.
__global__ void late(const int *in, int *out) {
  __shared__ int s[32];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[31 - t];
  s[t] = 0;
}
