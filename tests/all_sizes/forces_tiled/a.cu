// spmd: block=32 grid=n/32 p[n] m[n] f[n] require n > 0, n <= 1000000, n % 64 == 0
__global__ void forces(const float *p, const float *m, float *f, float eps, int n) {
  int i = blockIdx.x * 32 + threadIdx.x;
  float sum = 0.0f;
  for (int j = 0; j < n; j++) {
    float d = p[j] - p[i];
    float r = rsqrtf(d * d + eps);
    sum += m[j] * d * r * r * r;
  }
  f[i] = sum;
}
