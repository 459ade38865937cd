// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// The second branch lacks its barrier.
__global__ void branches(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (n > 7) {
    s[t] = in[t];
    __syncthreads();
    s[63 - t] += 1;
    __syncthreads();
  } else {
    s[t] = in[t];
  }
  out[t] = s[63 - t];
}
