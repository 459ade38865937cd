// spmd: block=64 grid=(n+63)/64 x[n] c[degree+1] out[n] require n > 0, n <= 1000000, degree >= 0, degree <= 100000
__global__ void horner(const unsigned *x, const unsigned *c, unsigned *out, int n, int degree) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  unsigned s = 0;
  for (int k = degree; k >= 0; k--) s = s * x[i] + c[k];
  out[i] = s;
}
