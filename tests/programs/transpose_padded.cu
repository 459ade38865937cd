// expect: race-free=proved barriers=proved order-free=proved
// spmd: block=32,8
// at: block=32,8 grid=4,4 w=120 h=100
// Transpose through a padded tile, four rows a thread.
__global__ void tr(const float *in, float *out, int w, int h) {
  __shared__ float s[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < w && y + j < h) s[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) if (x < h && y + j < w) out[(y + j) * h + x] = s[threadIdx.x][threadIdx.y + j];
}
