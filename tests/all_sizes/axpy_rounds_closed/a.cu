// spmd: block=256 grid=(n+255)/256 x[n] y[n] require n > 0, n <= 1000000, rounds >= 0, rounds <= 1000000
__global__ void axpy(const float *x, float *y, float a, int n, int rounds) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = y[i];
  for (int k = 0; k < rounds; k++) v += a * x[i];
  y[i] = v;
}
