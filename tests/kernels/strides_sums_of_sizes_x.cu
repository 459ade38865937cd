// expect: race-free=refuted
// Rows are padded on both sides, and as far apart as if they were on one.
__global__ void planes(const float *x, float *y, int h, int w, int c, int p) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, plane = blockIdx.z;
  if (column < w + 2 * p && row < h - p && plane < c) y[(plane * (h - p) + row) * (w + p) + column] = x[row];
}
