// spmd: block=128 grid=(n+127)/128 x[n] c[2*half+2] out[n] require n > 0, n <= 1000000, half >= 0, half <= 100000
__global__ void horner(const float *x, const float *c, float *out, int n, int half) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int k = 2 * half + 1; k >= 0; k--) s = s * x[i] + c[k];
  out[i] = s;
}
