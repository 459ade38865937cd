// spmd: block=8 grid=(rows+7)/8 rows=11 cols=140 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// The exponentials are computed once and kept in the output until their sum is known; one thread a row.
__global__ void softmax(const float *in, float *out, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *x = in + row * cols;
  float *y = out + row * cols;
  float m = -INFINITY;
  for (int j = 0; j < cols; j++) m = fmaxf(m, x[j]);
  float sum = 0.0f;
  for (int j = 0; j < cols; j++) {
    float e = expf(x[j] - m);
    y[j] = e;
    sum += e;
  }
  for (int j = 0; j < cols; j++) y[j] = y[j] / sum;
}
