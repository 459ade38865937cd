// spmd: block=8 grid=(rows+7)/8 rows=11 cols=140 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// Maximum and sum in one pass: when the maximum grows, the sum so far is scaled down to it; one thread a row.
__global__ void softmax(const float *in, float *out, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *x = in + row * cols;
  float m = -INFINITY, l = 0.0f;
  for (int j = 0; j < cols; j++) {
    float larger = fmaxf(m, x[j]);
    l = l * expf(m - larger) + expf(x[j] - larger);
    m = larger;
  }
  for (int i = 0; i < cols; i++) out[row * cols + i] = expf(x[i] - m) / l;
}
