// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void row_sum_two(const float *x, float *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float even = 0.0f, odd = 0.0f;
  int j = 0;
  for (; j + 1 < cols; j += 2) {
    even += x[r * cols + j];
    odd += x[r * cols + j + 1];
  }
  if (j < cols) even += x[r * cols + j];
  out[r] = even + odd;
}
