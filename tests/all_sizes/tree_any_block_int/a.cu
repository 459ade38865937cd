// spmd: block=threads grid=(n+threads-1)/threads x[n] sums[(n+threads-1)/threads] require n > 0, n <= 1000000, threads > 0, threads <= 1024, (threads & (threads - 1)) == 0
__global__ void sums_first(const int *x, int *sums, int n, int threads) {
  if (threadIdx.x != 0) return;
  int first = blockIdx.x * threads, s = 0;
  for (int k = 0; k < threads && first + k < n; k++) s += x[first + k];
  sums[blockIdx.x] = s;
}
