// spmd: block=256 grid=(n+255)/256 p[n] g[n] m[n] v[n] require n > 0, n <= 1000000
__global__ void adam(float *p, const float *g, float *m, float *v, float lr, float b1, float b2, float eps, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  m[i] = b1 * m[i] + (1.0f - b1) * g[i];
  v[i] = b2 * v[i] + (1.0f - b2) * g[i] * g[i];
  p[i] = p[i] - lr * m[i] / (sqrtf(v[i]) + eps);
}
