// spmd: block=256 grid=(n+255)/256 x[n] out[n] require n > 0, n <= 1000000
__global__ void gelu(const float *x, float *out, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  out[i] = 0.5f * v * (1.0f + tanhf(0.75f * (v + 0.0625f * v * v * v)));
}
