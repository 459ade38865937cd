// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows*cols] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void softmax(const float *x, float *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float m = -INFINITY, sum = 0.0f;
  for (int j = 0; j < cols; j++) m = fmaxf(m, x[r * cols + j]);
  for (int j = 0; j < cols; j++) sum += expf(x[r * cols + j] - m);
  for (int j = 0; j < cols; j++) out[r * cols + j] = expf(x[r * cols + j] - m) / sum;
}
