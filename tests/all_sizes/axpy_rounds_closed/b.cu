// spmd: block=256 grid=(n+255)/256 x[n] y[n] require n > 0, n <= 1000000, rounds >= 0, rounds <= 1000000
__global__ void axpy_at_once(const float *x, float *y, float a, int n, int rounds) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] += (float)rounds * a * x[i];
}
