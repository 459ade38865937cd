// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void row_sum_four(const int *x, int *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  const int *row = x + r * cols;
  int s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  int whole = cols / 4 * 4;
  for (int j = 0; j < whole; j += 4) {
    s0 += row[j];
    s1 += row[j + 1];
    s2 += row[j + 2];
    s3 += row[j + 3];
  }
  for (int j = whole; j < cols; j++) s0 += row[j];
  out[r] = (s0 + s1) + (s2 + s3);
}
