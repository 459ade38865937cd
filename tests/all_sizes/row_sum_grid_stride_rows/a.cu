// spmd: block=128 grid=(rows+127)/128 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void row_sum(const float *x, float *out, int rows, int cols) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = 0; j < cols; j++) s += x[r * cols + j];
  out[r] = s;
}
