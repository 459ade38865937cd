// spmd: block=256 grid=(rows+255)/256 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void row_sum(const float *x, float *out, int rows, int cols) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float sum = 0.0f;
  for (int j = 0; j < cols; j++) sum += x[r * cols + j];
  out[r] = sum;
}
