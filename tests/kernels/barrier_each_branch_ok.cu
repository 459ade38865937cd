// expect: race-free=proved barriers=proved bounds=proved
// spmd: block=64 grid=1
// One branch has two barriers, the other one; both order the reads that follow.
__global__ void branches(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (n > 7) {
    s[t] = in[t];
    __syncthreads();
    s[63 - t] += 1;
    __syncthreads();
  } else {
    s[63 - t] = in[t];
    __syncthreads();
  }
  out[t] = s[63 - t];
  __syncthreads();
  s[t] = 0;
}
