// spmd: block=128 grid=m a[m*n] x[n] y[m] require m > 0, n >= 0, m <= 20000, n <= 20000
__global__ void gemv_block(const float *a, const float *x, float *y, float alpha, float beta, int m, int n) {
  __shared__ float sums[4];
  int t = threadIdx.x, i = blockIdx.x;
  float s = 0.0f;
  for (int j = t; j < n; j += 128) s += a[i * n + j] * x[j];
  for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffffu, s, d);
  if (t % 32 == 0) sums[t / 32] = s;
  __syncthreads();
  if (t == 0) y[i] = alpha * (sums[0] + sums[1] + sums[2] + sums[3]) + beta * y[i];
}
