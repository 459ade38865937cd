// spmd: block=128 grid=(rows+127)/128 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void row_sum_down(const float *x, float *out, int rows, int cols) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = cols - 1; j >= 0; j--) {
    float v = x[r * cols + j];
    s += v * v;
  }
  out[r] = s;
}
