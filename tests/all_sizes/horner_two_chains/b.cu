// spmd: block=128 grid=(n+127)/128 x[n] c[2*half+2] out[n] require n > 0, n <= 1000000, half >= 0, half <= 100000
__global__ void horner_two(const float *x, const float *c, float *out, int n, int half) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float square = x[i] * x[i], even = 0.0f, odd = 0.0f;
  for (int k = half; k >= 0; k--) {
    even = even * square + c[2 * k];
    odd = odd * square + c[2 * k + 1];
  }
  out[i] = even + odd * x[i];
}
