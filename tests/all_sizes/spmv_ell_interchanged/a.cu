// spmd: block=64 grid=(rows+63)/64 column[rows*width] value[rows*width] y[rows] require rows > 0, rows <= 20000, width >= 0, width <= 20000
__global__ void spmv(const int *column, const float *value, const float *x, float *y, int rows, int width) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int k = 0; k < width; k++) s += value[k * rows + r] * x[column[k * rows + r]];
  y[r] = s;
}
