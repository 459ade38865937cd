// expect: barriers=refuted
// spmd: block=128 grid=8
// The barrier stands among the threads that still add.
__global__ void tree(const float *in, float *sums) {
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 128 + t];
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d) {
      s[t] += s[t + d];
      __syncthreads();
    }
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}
