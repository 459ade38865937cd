// spmd: block=32 grid=(rows+31)/32 label[rows] loss[rows] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void entropy(const float *x, const int *label, float *loss, int rows, int cols) {
  int r = blockIdx.x * 32 + threadIdx.x;
  if (r >= rows) return;
  const float *row = x + r * cols;
  float m = -INFINITY, s = 0.0f;
  for (int j = 0; j < cols; j++) m = fmaxf(m, row[j]);
  for (int j = 0; j < cols; j++) s += expf(row[j] - m);
  loss[r] = -logf(expf(row[label[r]] - m) / s);
}
