// spmd: block=64 grid=(rows+63)/64 start[rows+1] y[rows] require rows > 0, rows <= 1000000, nnz >= 0, nnz <= 100000000
__global__ void spmv_ends(const int *start, const int *column, const float *value, const float *x, float *y, int rows, int nnz) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r < rows) {
    int k = start[r], end = start[r + 1];
    float s = 0.0f;
    while (k < end) {
      int c = column[k];
      s += value[k] * x[c];
      k++;
    }
    y[r] = y[r] + s;
  }
}
