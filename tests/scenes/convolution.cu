// A convolution along rows with a filter in constant memory; a tile with a halo on either side.
// spmd: block=8,2 grid=2,1 width=13 height=2 require width > 0, height > 0
#define RADIUS 2
#define TILE 8

__constant__ float weights[2 * RADIUS + 1];

__global__ void convolution(const float *in, float *out, int width, int height) {
  __shared__ float tile[2][TILE + 2 * RADIUS];
  int t = threadIdx.x, row = threadIdx.y;
  int x = blockIdx.x * TILE + t;
  int y = blockIdx.y * blockDim.y + row;
  for (int cell = t; cell < TILE + 2 * RADIUS; cell += TILE) {
    int from = blockIdx.x * TILE + cell - RADIUS;
    tile[row][cell] = from >= 0 && from < width && y < height ? in[y * width + from] : 0.0f;
  }
  __syncthreads();
  if (x >= width || y >= height) return;
  float sum = 0.0f;
  for (int k = -RADIUS; k <= RADIUS; k++) sum += tile[row][t + RADIUS + k] * weights[RADIUS - k];
  out[y * width + x] = sum;
}
