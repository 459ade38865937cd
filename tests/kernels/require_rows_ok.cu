// expect: race-free=proved barriers=proved
// spmd: require row[i] <= row[i + 1]
// Rows of a sparse matrix: each thread writes the elements of its own row.
__global__ void scale(float *value, const int *row, const float *by, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int k = row[r]; k < row[r + 1]; k++) value[k] = value[k] * by[r];
}
