// spmd: block=64 grid=(rows+63)/64 label[rows] loss[rows] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void cross_entropy_fused(const float *x, const int *label, float *loss, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  const float *row = x + r * cols;
  float m = row[0], l = 1.0f;
  for (int j = 1; j < cols; j++) {
    float before = m;
    m = fmaxf(m, row[j]);
    l = l * expf(before - m) + expf(row[j] - m);
  }
  loss[r] = m + logf(l) - row[label[r]];
}
