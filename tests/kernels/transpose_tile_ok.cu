// expect: race-free=proved barriers=proved bounds=proved
// spmd: block=8,8 grid=(w+7)/8,(h+7)/8 require w > 0, h > 0, w <= 10000, h <= 10000
// The barrier stands outside of both guards.
__global__ void transpose(const int *in, int *out, int w, int h) {
  __shared__ int tile[8][9];
  int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  int tx = blockIdx.y * 8 + threadIdx.x, ty = blockIdx.x * 8 + threadIdx.y;
  if (tx < h && ty < w) out[ty * h + tx] = tile[threadIdx.x][threadIdx.y];
}
