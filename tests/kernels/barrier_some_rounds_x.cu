// expect: race-free=refuted barriers=proved
// spmd: block=64 grid=1
// Every second round goes without a barrier before the reads.
__global__ void some_rounds(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int sum = 0;
  for (int k = 0; k < 4; k++) {
    s[t] = in[64 * k + t];
    if (k % 2 == 0) __syncthreads();
    sum += s[63 - t];
    __syncthreads();
  }
  out[t] = sum;
}
