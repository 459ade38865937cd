// spmd: block=64 grid=(rows+63)/64 x[rows*cols] count[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void count_above(const float *x, int *count, float limit, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  int c = 0;
  for (int j = 0; j < cols; j++)
    if (x[r * cols + j] > limit) c++;
  count[r] = c;
}
