// equality: bitwise for finite filters (the halo contributes w * 0). X: the halo load tests gx > 0 instead of gx >= 0, image column 0 is taken as zero.
#include <cuda_runtime.h>

#define FILTER_RADIUS 2
#define FILTER_DIM (2 * FILTER_RADIUS + 1)
#define TILE 16
#define IN_TILE (TILE + 2 * FILTER_RADIUS)

__global__ void conv2d_a(const float *in, const float *filter, float *out, int height, int width) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (col >= width || row >= height) return;
  float sum = 0.0f;
  for (int fr = 0; fr < FILTER_DIM; fr++) {
    for (int fc = 0; fc < FILTER_DIM; fc++) {
      int r = row - FILTER_RADIUS + fr;
      int c = col - FILTER_RADIUS + fc;
      if (r >= 0 && r < height && c >= 0 && c < width) sum += filter[fr * FILTER_DIM + fc] * in[r * width + c];
    }
  }
  out[row * width + col] = sum;
}

__global__ void conv2d_b(const float *in, const float *filter, float *out, int height, int width) {
  __shared__ float in_s[IN_TILE][IN_TILE];
  const int tid = threadIdx.y * TILE + threadIdx.x;
  const int row0 = blockIdx.y * TILE - FILTER_RADIUS;
  const int col0 = blockIdx.x * TILE - FILTER_RADIUS;
  for (int i = tid; i < IN_TILE * IN_TILE; i += TILE * TILE) {
    int ly = i / IN_TILE;
    int lx = i % IN_TILE;
    int gy = row0 + ly;
    int gx = col0 + lx;
    in_s[ly][lx] = (gy >= 0 && gy < height && gx >= 0 && gx < width) ? in[gy * width + gx] : 0.0f;
  }
  __syncthreads();
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  if (row < height && col < width) {
    float sum = 0.0f;
#pragma unroll
    for (int fr = 0; fr < FILTER_DIM; fr++)
#pragma unroll
      for (int fc = 0; fc < FILTER_DIM; fc++)
        sum += filter[fr * FILTER_DIM + fc] * in_s[threadIdx.y + fr][threadIdx.x + fc];
    out[row * width + col] = sum;
  }
}

__global__ void conv2d_x(const float *in, const float *filter, float *out, int height, int width) {
  __shared__ float in_s[IN_TILE][IN_TILE];
  const int tid = threadIdx.y * TILE + threadIdx.x;
  const int row0 = blockIdx.y * TILE - FILTER_RADIUS;
  const int col0 = blockIdx.x * TILE - FILTER_RADIUS;
  for (int i = tid; i < IN_TILE * IN_TILE; i += TILE * TILE) {
    int ly = i / IN_TILE;
    int lx = i % IN_TILE;
    int gy = row0 + ly;
    int gx = col0 + lx;
    in_s[ly][lx] = (gy >= 0 && gy < height && gx > 0 && gx < width) ? in[gy * width + gx] : 0.0f;
  }
  __syncthreads();
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int col = blockIdx.x * TILE + threadIdx.x;
  if (row < height && col < width) {
    float sum = 0.0f;
#pragma unroll
    for (int fr = 0; fr < FILTER_DIM; fr++)
#pragma unroll
      for (int fc = 0; fc < FILTER_DIM; fc++)
        sum += filter[fr * FILTER_DIM + fc] * in_s[threadIdx.y + fr][threadIdx.x + fc];
    out[row * width + col] = sum;
  }
}

void run_conv2d_a(const float *in, const float *filter, float *out, int height, int width) {
  dim3 block(32, 8);
  dim3 grid((width + 31) / 32, (height + 7) / 8);
  conv2d_a<<<grid, block>>>(in, filter, out, height, width);
}

void run_conv2d_b(const float *in, const float *filter, float *out, int height, int width) {
  dim3 block(TILE, TILE);
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  conv2d_b<<<grid, block>>>(in, filter, out, height, width);
}

void run_conv2d_x(const float *in, const float *filter, float *out, int height, int width) {
  dim3 block(TILE, TILE);
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  conv2d_x<<<grid, block>>>(in, filter, out, height, width);
}
