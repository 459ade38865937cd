// spmd: block=8 grid=(rows+7)/8 rows=11 cols=100 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// Layer norm in two passes, mean then variance; one thread a row.
__global__ void layernorm(const float *in, const float *gamma, const float *beta, float *out, int rows, int cols, float eps) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *x = in + row * cols;
  float mean = 0.0f, var = 0.0f;
  for (int j = 0; j < cols; j++) mean += x[j];
  mean /= cols;
  for (int j = 0; j < cols; j++) var += (x[j] - mean) * (x[j] - mean);
  var /= cols;
  for (int j = 0; j < cols; j++) out[row * cols + j] = (x[j] - mean) / sqrtf(var + eps) * gamma[j] + beta[j];
}
