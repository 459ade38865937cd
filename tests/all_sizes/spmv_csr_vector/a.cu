// spmd: block=128 grid=(rows+127)/128 start[rows+1] y[rows] require rows > 0, rows <= 1000000, nnz >= 0, nnz <= 100000000
__global__ void spmv(const int *start, const int *column, const float *value, const float *x, float *y, int rows, int nnz) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int k = start[r]; k < start[r + 1]; k++) s += value[k] * x[column[k]];
  y[r] = s;
}
