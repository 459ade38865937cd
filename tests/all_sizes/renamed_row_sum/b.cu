// spmd: block=256 grid=(rows+255)/256 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void sum_of_each_row(const float *__restrict__ x, float *__restrict__ out, int rows, int cols) {
  const int row = threadIdx.x + blockDim.x * blockIdx.x;
  if (row < rows) {
    float total = 0.f;
    int column = 0;
    while (column < cols) {
      total = total + x[row * cols + column];
      ++column;
    }
    out[row] = total;
  }
}
