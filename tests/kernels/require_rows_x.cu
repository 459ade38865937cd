// expect: race-free=refuted
// spmd: require row[i] <= row[i + 1], 0 <= row[i]
// The element behind each row is written too: it is the first of the next row.
__global__ void scale(float *value, const int *row, const float *by, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows)
    for (int k = row[r]; k <= row[r + 1]; k++) value[k] = by[r];
}
