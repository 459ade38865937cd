// spmd: block=128 grid=(n+127)/128 x[n] c[degree+1] out[n] require n > 0, n <= 1000000, degree >= 0, degree <= 100000
__global__ void horner(const float *x, const float *c, float *out, int n, int degree) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float s = c[degree];
  for (int k = degree - 1; k >= 0; k--) s = s * x[i] + c[k];
  out[i] = s;
}
