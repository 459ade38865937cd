// spmd: block=64 grid=3 p[n] m[n] v[n] require n > 0, n <= 1000000
__global__ void step_folded(float *p, const float *m, const float *v, float lr, float c1, float c2, float eps, int n) {
  float rate = lr / c1, inverse = 1.0f / c2;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 3 * 64) p[i] -= rate * m[i] / (sqrtf(v[i] * inverse) + eps);
}
