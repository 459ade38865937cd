// spmd: block=64 grid=(n+63)/64 x[n] c[degree+1] out[n] require n > 0, n <= 1000000, degree >= 0, degree <= 100000
__global__ void powers(const unsigned *x, const unsigned *c, unsigned *out, int n, int degree) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  unsigned power = 1, s = 0;
  for (int k = 0; k <= degree; k++) {
    s += c[k] * power;
    power *= x[i];
  }
  out[i] = s;
}
