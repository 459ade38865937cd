// spmd: block=64 grid=(rows+63)/64 x[rows*cols] sums[cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void scatter(const int *x, int *sums, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  for (int j = 0; j < cols; j++) atomicAdd(&sums[j], x[r * cols + j]);
}
