// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 1, cols <= 20000
__global__ void row_min(const int *x, int *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  int m = x[r * cols];
  for (int j = 1; j < cols; j++) m = min(m, x[r * cols + j]);
  out[r] = m;
}
