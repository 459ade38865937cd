// spmd: block=256 grid=(n+255)/256 x[n] y[n] require n > 0, n <= 1000000, rounds >= 0
__global__ void axpy(const float *x, float *y, float a, int n, int rounds) {
  int i = blockIdx.x * 256 + threadIdx.x;
  for (int k = 0; k < rounds; k++)
    if (i < n) y[i] = a * x[i] + y[i];
}
