// spmd: block=64 grid=(rows+63)/64 y[rows*cols] dy[rows*cols] dx[rows*cols] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void backward(const float *y, const float *dy, float *dx, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = 0; j < cols; j++) s += y[r * cols + j] * dy[r * cols + j];
  for (int j = 0; j < cols; j++) dx[r * cols + j] = y[r * cols + j] * (dy[r * cols + j] - s);
}
