// spmd: block=threads grid=(n+threads-1)/threads x[n] sums[(n+threads-1)/threads] require n > 0, n <= 1000000, threads > 0, threads <= 1024, (threads & (threads - 1)) == 0
__global__ void sums_tree(const int *x, int *sums, int n, int threads) {
  __shared__ int s[1024];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}
