// spmd: block=128 grid=(n+127)/128 x[n+2*radius] w[2*radius+1] out[n] require n > 0, n <= 1000000, radius >= 0, radius <= 16
__global__ void convolve(const float *x, const float *w, float *out, int n, int radius) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int k = 0; k <= 2 * radius; k++) s += w[k] * x[i + k];
  out[i] = s;
}
