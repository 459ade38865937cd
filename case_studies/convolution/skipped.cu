// spmd: block=128 grid=(n+127)/128 n=1003 require n >= 1, n <= 1000000000
// Taps beyond the ends are skipped instead of multiplied by zero.
__global__ void convolve(const float *in, const float *taps, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f;
  for (int k = max(0, 3 - i); k < min(7, n + 3 - i); k++) sum += taps[k] * in[i + k - 3];
  out[i] = sum;
}
