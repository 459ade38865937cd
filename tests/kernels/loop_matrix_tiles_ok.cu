// expect: race-free=proved barriers=proved
// spmd: block=16,16
// Square tiles of two matrices, any number of them.
#define TILE 16
__global__ void multiply(const float *a, const float *b, float *c, int n) {
  __shared__ float left[TILE][TILE], right[TILE][TILE];
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n / TILE; k++) {
    left[threadIdx.y][threadIdx.x] = a[row * n + k * TILE + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(k * TILE + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < TILE; j++) sum += left[threadIdx.y][j] * right[j][threadIdx.x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}
