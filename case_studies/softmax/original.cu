// spmd: block=8 grid=(rows+7)/8 rows=11 cols=140 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// Softmax by its definition, one thread a row.
__global__ void softmax(const float *in, float *out, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *x = in + row * cols;
  float sum = 0.0f;
  for (int j = 0; j < cols; j++) sum += expf(x[j]);
  for (int j = 0; j < cols; j++) out[row * cols + j] = expf(x[j]) / sum;
}
