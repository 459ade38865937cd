// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void reduce_unswitched(const float *x, float *out, int rows, int cols, int mode) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  const float *row = x + r * cols;
  float s = 0.0f;
  if (mode == 0) {
    for (int j = 0; j < cols; j++) s += row[j];
  } else if (mode == 1) {
    for (int j = 0; j < cols; j++) s += row[j] * row[j];
  } else {
    if (mode == 2) s = 1.0f;
    for (int j = 0; j < cols; j++) s *= row[j];
  }
  out[r] = s;
}
