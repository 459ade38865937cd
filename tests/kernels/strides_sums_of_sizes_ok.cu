// expect: race-free=proved
// Padded planes of rows without their margins: a stride is a sum of sizes, and another a difference.
__global__ void planes(const float *x, float *y, int h, int w, int c, int p) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y, plane = blockIdx.z;
  if (column < w + 2 * p && row < h - p && plane < c) y[(plane * (h - p) + row) * (w + 2 * p) + column] = x[row];
}
