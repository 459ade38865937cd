// expect: race-free=proved barriers=proved
// spmd: require row[i] <= row[i + 1], rows > 0
// The same, with rows taken from the last one on.
__global__ void fill(int *value, const int *row, int rows) {
  int r = rows - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (r >= 0)
    for (int k = row[r]; k < row[r + 1]; k++) value[k] = r;
}
