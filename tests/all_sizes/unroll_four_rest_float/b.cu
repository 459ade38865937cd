// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void row_sum_unrolled(const float *x, float *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  const float *row = x + r * cols;
  float s = 0.0f;
  int j = 0;
  for (; j + 3 < cols; j += 4) {
    s += row[j];
    s += row[j + 1];
    s += row[j + 2];
    s += row[j + 3];
  }
  for (; j < cols; j++) s += row[j];
  out[r] = s;
}
