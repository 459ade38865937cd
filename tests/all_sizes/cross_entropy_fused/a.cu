// spmd: block=64 grid=(rows+63)/64 label[rows] loss[rows] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void cross_entropy(const float *x, const int *label, float *loss, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  const float *row = x + r * cols;
  float m = -INFINITY, sum = 0.0f;
  for (int j = 0; j < cols; j++) m = fmaxf(m, row[j]);
  for (int j = 0; j < cols; j++) sum += expf(row[j] - m);
  loss[r] = logf(sum) - (row[label[r]] - m);
}
