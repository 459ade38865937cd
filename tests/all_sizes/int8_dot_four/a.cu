// spmd: block=64 grid=(rows+63)/64 x[rows*cols] y[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000, cols % 4 == 0
__global__ void dot(const signed char *x, const signed char *y, int *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  int s = 0;
  for (int j = 0; j < cols; j++) s += x[r * cols + j] * y[r * cols + j];
  out[r] = s;
}
