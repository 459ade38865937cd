// spmd: block=64 grid=(rows+63)/64 x[rows*cols] var[rows] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void variance(const float *x, float *var, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f, q = 0.0f;
  for (int j = 0; j < cols; j++) s += x[r * cols + j];
  float mean = s / cols;
  for (int j = 0; j < cols; j++) q += (x[r * cols + j] - mean) * (x[r * cols + j] - mean);
  var[r] = q / cols;
}
