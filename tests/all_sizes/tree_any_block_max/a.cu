// spmd: block=threads grid=(n+threads-1)/threads x[n] best[(n+threads-1)/threads] require n > 0, n <= 1000000, threads > 0, threads <= 1024, (threads & (threads - 1)) == 0
__global__ void max_first(const float *x, float *best, int n, int threads) {
  if (threadIdx.x != 0) return;
  int first = blockIdx.x * threads, end = min(n, first + threads);
  float m = x[first];
  for (int i = first + 1; i < end; i++) m = fmaxf(m, x[i]);
  best[blockIdx.x] = m;
}
