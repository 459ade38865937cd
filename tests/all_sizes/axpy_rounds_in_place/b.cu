// spmd: block=256 grid=(n+255)/256 x[n] y[n] require n > 0, n <= 1000000, rounds >= 0
__global__ void axpy_register(const float *x, float *y, float a, int n, int rounds) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = y[i], step = a * x[i];
  for (int k = rounds; k > 0; k--) v = step + v;
  y[i] = v;
}
