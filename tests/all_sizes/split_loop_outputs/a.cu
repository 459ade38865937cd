// spmd: block=64 grid=(n+63)/64 x[n*k] up[n*k] down[n*k] require n > 0, n <= 20000, k >= 0, k <= 20000
__global__ void both(const float *x, float *up, float *down, int n, int k) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int j = 0; j < k; j++) {
    s += x[j * n + i];
    up[j * n + i] = s;
    down[(k - 1 - j) * n + i] = x[j * n + i] - 1.0f;
  }
}
