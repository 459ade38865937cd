// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=64 grid=1
// A barrier stands between the reads of the carry and its update.
__global__ void carry(const int *in, int *out) {
  __shared__ int last;
  int t = threadIdx.x;
  if (t == 0) last = 0;
  for (int k = 0; k < 2; k++) {
    __syncthreads();
    out[64 * k + t] = in[64 * k + t] + last;
    __syncthreads();
    if (t == 63) last = in[64 * k + t];
  }
}
