// spmd: block=256 grid=(n+255)/256 p[n] v[n] g[n] require n > 0, n <= 1000000, rounds >= 0
__global__ void descend(float *p, float *v, const float *g, float lr, float mu, int n, int rounds) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < rounds; k++) {
    v[i] = mu * v[i] + g[i];
    p[i] = p[i] - lr * v[i];
  }
}
