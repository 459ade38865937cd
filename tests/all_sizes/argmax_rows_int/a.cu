// spmd: block=128 grid=(rows+127)/128 x[rows*cols] at[rows] require rows > 0, rows <= 20000, cols >= 1, cols <= 20000
__global__ void argmax(const int *x, int *at, int rows, int cols) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  int best = x[r * cols], where = 0;
  for (int j = 1; j < cols; j++)
    if (x[r * cols + j] > best) {
      best = x[r * cols + j];
      where = j;
    }
  at[r] = where;
}
