// spmd: block=64 grid=n/64 require n > 0, n <= 1000000, n % 64 == 0
__global__ void sum_tree(const int *in, int *sums, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int d = 32; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}
