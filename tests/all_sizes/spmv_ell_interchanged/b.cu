// spmd: block=64 grid=(rows+63)/64 column[rows*width] value[rows*width] y[rows] require rows > 0, rows <= 20000, width >= 0, width <= 20000
__global__ void spmv_two(const int *column, const float *value, const float *x, float *y, int rows, int width) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float lower = 0.0f, upper = 0.0f;
  int half = width / 2;
  for (int k = 0; k < half; k++) {
    lower += value[k * rows + r] * x[column[k * rows + r]];
    upper += value[(k + half) * rows + r] * x[column[(k + half) * rows + r]];
  }
  if (width % 2 == 1) upper += value[(width - 1) * rows + r] * x[column[(width - 1) * rows + r]];
  y[r] = lower + upper;
}
