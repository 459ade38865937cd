// spmd: block=128 grid=blocks p[n] g[n] m[n] v[n] require n > 0, n <= 1000000, blocks > 0, blocks <= 1000
__global__ void adam_strided(float *p, const float *g, float *m, float *v, float lr, float b1, float b2, float eps, int n, int blocks) {
  float c1 = 1.0f - b1, c2 = 1.0f - b2;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += blocks * 128) {
    float grad = g[i];
    float first = b1 * m[i] + c1 * grad, second = b2 * v[i] + c2 * grad * grad;
    p[i] -= lr * first / (sqrtf(second) + eps);
    m[i] = first;
    v[i] = second;
  }
}
