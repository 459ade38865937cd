// spmd: block=128 grid=(rows+127)/128 rows=19 cols=300 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// Layer norm, one thread a row: mean, variance around it, then the row is normalised.
__global__ void layernorm(const float *in, const float *weight, const float *bias, float *out, float *mean, float *rstd, int rows,
                          int cols, float eps) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *x = in + row * cols;
  float m = 0.0f;
  for (int c = 0; c < cols; c++) m += x[c];
  m = m / cols;
  float v = 0.0f;
  for (int c = 0; c < cols; c++) {
    float d = x[c] - m;
    v += d * d;
  }
  v = v / cols;
  float s = 1.0f / sqrtf(v + eps);
  for (int c = 0; c < cols; c++) out[row * cols + c] = (x[c] - m) * s * weight[c] + bias[c];
  mean[row] = m;
  rstd[row] = s;
}
