// spmd: block=threads grid=(n+threads-1)/threads x[n] best[(n+threads-1)/threads] require n > 0, n <= 1000000, threads > 0, threads <= 1024, (threads & (threads - 1)) == 0
__global__ void max_tree(const float *x, float *best, int n, int threads) {
  __shared__ float s[1024];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : -INFINITY;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] = fmaxf(s[t], s[t + d]);
    __syncthreads();
  }
  if (t == 0) best[blockIdx.x] = s[0];
}
