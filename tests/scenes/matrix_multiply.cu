// A product of matrices, a tile of the result a block, tile by tile along the inner length.
// spmd: block=4,4 grid=2,2 inner=8 width=8 require inner > 0, inner % 4 == 0, width == 4 * gridDim.x
#define TILE 4

__global__ void matrix_multiply(const float *a, const float *b, float *c, int inner, int width) {
  __shared__ float rows[TILE][TILE];
  __shared__ float columns[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int column = blockIdx.x * TILE + x;
  int row = blockIdx.y * TILE + y;
  float sum = 0.0f;
  for (int start = 0; start < inner; start += TILE) {
    rows[y][x] = a[row * inner + start + x];
    columns[y][x] = b[(start + y) * width + column];
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += rows[y][k] * columns[k][x];
    __syncthreads();
  }
  c[row * width + column] = sum;
}
