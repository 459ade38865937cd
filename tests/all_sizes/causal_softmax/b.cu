// spmd: block=32 grid=(n+31)/32 x[n*n] out[n*n] require n > 0, n <= 20000
__global__ void causal_online(const float *x, float *out, int n) {
  int r = blockIdx.x * 32 + threadIdx.x;
  if (r >= n) return;
  const float *row = x + r * n;
  float m = row[0], l = 1.0f;
  for (int j = 1; j <= r; j++) {
    float larger = fmaxf(m, row[j]);
    l = l * expf(m - larger) + expf(row[j] - larger);
    m = larger;
  }
  for (int j = 0; j <= r; j++) out[r * n + j] = expf(row[j] - m) / l;
  for (int j = r + 1; j < n; j++) out[r * n + j] = 0.0f;
}
