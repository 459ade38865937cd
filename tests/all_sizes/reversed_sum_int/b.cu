// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void row_sum_down(const int *x, int *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  int s = 0;
  for (int j = cols; j > 0; j--) s += j * x[r * cols + j - 1];
  out[r] = s;
}
