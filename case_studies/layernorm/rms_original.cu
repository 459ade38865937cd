// spmd: block=8 grid=(rows+7)/8 rows=11 cols=100 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// RMS norm, one thread a row.
__global__ void rmsnorm(const float *in, const float *gamma, float *out, int rows, int cols, float eps) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *x = in + row * cols;
  float squares = 0.0f;
  for (int j = 0; j < cols; j++) squares += x[j] * x[j];
  for (int j = 0; j < cols; j++) out[row * cols + j] = x[j] / sqrtf(squares / cols + eps) * gamma[j];
}
