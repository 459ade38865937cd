// expect: race-free=refuted
// Two threads share a row, and one column in it.
__global__ void k(float **rows, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < m) rows[j / 2][j % 2 ? j - 1 : j] = (float)j;
}
