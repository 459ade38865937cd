// spmd: block=256 grid=(n+255)/256 p[n] m[n] v[n] require n > 0, n <= 1000000
__global__ void step(float *p, const float *m, const float *v, float lr, float c1, float c2, float eps, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float mean = m[i] / c1, square = v[i] / c2;
  p[i] -= lr * mean / (sqrtf(square) + eps);
}
