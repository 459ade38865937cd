// spmd: block=128 grid=(rows+127)/128 x[rows*cols] out[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void softmax(const float *x, float *out, int rows, int cols) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  const float *row = x + r * cols;
  float m = row[0], sum = 0.0f;
  for (int j = 1; j < cols; j++) m = fmaxf(m, row[j]);
  for (int j = 0; j < cols; j++) sum += expf(row[j] - m);
  for (int j = 0; j < cols; j++) out[r * cols + j] = expf(row[j] - m) / sum;
}
