// expect: race-free=refuted barriers=proved
// spmd: block=32 grid=1
// The second reduction fills the array while the first result may be unread.
__global__ void two_trees(const int *in, int *sums) {
  __shared__ int s[32];
  int t = threadIdx.x;
  for (int k = 0; k < 2; k++) {
    s[t] = in[32 * k + t];
    __syncthreads();
    for (int d = 16; d > 0; d /= 2) {
      if (t < d) s[t] += s[t + d];
      __syncthreads();
    }
    if (t == 31) sums[k] = s[0];
  }
}
