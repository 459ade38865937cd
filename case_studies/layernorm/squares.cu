// spmd: block=8 grid=(rows+7)/8 rows=11 cols=100 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// One pass: the variance is the mean of the squares less the square of the mean; one thread a row.
__global__ void layernorm(const float *in, const float *gamma, const float *beta, float *out, int rows, int cols, float eps) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *x = in + row * cols;
  float sum = 0.0f, squares = 0.0f;
  for (int j = 0; j < cols; j++) {
    sum += x[j];
    squares += x[j] * x[j];
  }
  float mean = sum / cols, var = squares / cols - mean * mean;
  float inv = rsqrtf(var + eps);
  for (int i = 0; i < cols; i++) out[row * cols + i] = (x[i] - mean) * inv * gamma[i] + beta[i];
}
