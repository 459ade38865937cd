// spmd: block=128 grid=(n+127)/128 o[n] in[n*m] keep[n] require n > 0, n <= 20000, m >= 0, m <= 20000
__device__ float squashed(float x) {
  if (x < 0.0f) return 0.0f;
  if (x > 6.0f) return 6.0f;
  return x * 0.5f;
}
__global__ void leaving(float *o, const float *in, const int *keep, int n, int m) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  if (keep[i] == 0) return;
  float s = 0.0f;
  for (int j = 0; j < m; j++) {
    float v = in[i * m + j];
    if (v < 1.0f) continue;
    s += v;
  }
  o[i] = squashed(s);
}
