// spmd: block=128 grid=(n+127)/128 x[n] c[degree+1] out[n] require n > 0, n <= 1000000, degree >= 0, degree <= 100000
__global__ void powers(const float *x, const float *c, float *out, int n, int degree) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float v = x[i], power = 1.0f, s = 0.0f;
  for (int k = 0; k <= degree; k++) {
    s += c[k] * power;
    power *= v;
  }
  out[i] = s;
}
