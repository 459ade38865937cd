// spmd: block=128 grid=(rows+127)/128 x[rows*cols] y[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void accumulate_there(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  for (int j = 0; j < cols; j++) y[r] += x[r * cols + j];
}
