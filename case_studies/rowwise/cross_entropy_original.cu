// spmd: block=128 grid=(rows+127)/128 rows=19 cols=300 target[rows] require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// Cross entropy of logits and a target a row, one thread a row: maximum, sum, logarithm.
__global__ void cross_entropy(const float *logits, const int *target, float *loss, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const float *x = logits + row * cols;
  float largest = -INFINITY;
  for (int c = 0; c < cols; c++) largest = fmaxf(largest, x[c]);
  float sum = 0.0f;
  for (int c = 0; c < cols; c++) sum += expf(x[c] - largest);
  loss[row] = -(x[target[row]] - largest - logf(sum));
}
