// spmd: block=32 grid=(cols+31)/32 x[rows*cols] sums[cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void gather(const int *x, int *sums, int rows, int cols) {
  int j = blockIdx.x * 32 + threadIdx.x;
  if (j >= cols) return;
  int s = 0;
  for (int r = 0; r < rows; r++) s += x[r * cols + j];
  sums[j] += s;
}
