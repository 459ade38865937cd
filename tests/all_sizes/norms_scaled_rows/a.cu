// spmd: block=64 grid=(rows+63)/64 x[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void unit_rows(float *x, float eps, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = 0; j < cols; j++) s += x[r * cols + j] * x[r * cols + j];
  float length = sqrtf(s + eps);
  for (int j = 0; j < cols; j++) x[r * cols + j] /= length;
}
