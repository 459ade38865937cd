// spmd: block=64 grid=(n+63)/64 p[n] m[n] f[n] require n > 0, n <= 1000000
__global__ void forces(const float *p, const float *m, float *f, float eps, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int j = 0; j < n; j++) {
    float d = p[j] - p[i];
    sum += m[j] * d / (d * d + eps);
  }
  f[i] = sum;
}
