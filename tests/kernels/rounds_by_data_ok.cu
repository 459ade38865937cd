// expect: verdict=proved no-wrap=proved
// As many rounds as memory says: the index leaves int only where that is large, which is assumed not to be.
__global__ void ellpack(const float *val, const int *cols, const int *lengths, const float *x, float *y, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n) {
    float sum = 0;
    int most = lengths[row];
    for (int i = 0; i < most; i++) sum += val[i * n + row] * x[cols[i * n + row]];
    y[row] = sum;
  }
}
