// spmd: block=8 grid=(rows+7)/8 rows=11 cols=100 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// Mean and variance in one pass by Welford's updates; one thread a row.
__global__ void layernorm(const float *in, const float *gamma, const float *beta, float *out, int rows, int cols, float eps) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *x = in + row * cols;
  float mean = 0.0f, m2 = 0.0f;
  for (int j = 0; j < cols; j++) {
    float d = x[j] - mean;
    mean += d / (j + 1);
    m2 += d * (x[j] - mean);
  }
  float inv = rsqrtf(m2 / cols + eps);
  for (int i = 0; i < cols; i++) out[row * cols + i] = (x[i] - mean) * inv * gamma[i] + beta[i];
}
