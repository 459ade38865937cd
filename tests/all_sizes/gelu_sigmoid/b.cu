// spmd: block=256 grid=blocks x[n] out[n] require n > 0, n <= 1000000, blocks > 0, blocks <= 1000
__global__ void gelu_sigmoid(const float *x, float *out, int n, int blocks) {
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += 256 * gridDim.x) {
    float v = x[i];
    float u = 0.75f * v * (1.0f + 0.0625f * v * v);
    out[i] = v / (1.0f + expf(-2.0f * u));
  }
}
