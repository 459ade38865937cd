// spmd: block=64 grid=(n+63)/64 o[n] in[n*m] keep[n] require n > 0, n <= 20000, m >= 0, m <= 20000
__global__ void choosing(float *o, const float *in, const int *keep, int n, int m) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  float s = 0.0f;
  for (int j = 0; j < m; j++) {
    float v = in[i * m + j];
    s += v < 1.0f ? 0.0f : v;
  }
  float r = s < 0.0f ? 0.0f : s > 6.0f ? 6.0f : s * 0.5f;
  if (keep[i] != 0) o[i] = r;
}
