// spmd: block=256 grid=1 x[n] y[n] total[1] require n > 0, n <= 1000000
__global__ void dot_one_block(const int *x, const int *y, int *total, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, mine = 0;
  for (int i = t; i < n; i += 256) mine += x[i] * y[i];
  s[t] = mine;
  __syncthreads();
  for (int d = 128; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) total[0] += s[0];
}
