// spmd: block=8,8 grid=(w+7)/8,(h+7)/8 require w > 0, h > 0, w <= 20000, h <= 20000
__global__ void turn_tile(const float *in, float *out, int w, int h) {
  __shared__ float tile[8][9];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x = blockIdx.x * 8 + tx, y = blockIdx.y * 8 + ty;
  if (x < w && y < h) tile[ty][tx] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 8 + tx;
  y = blockIdx.x * 8 + ty;
  if (x < h && y < w) out[y * h + x] = tile[tx][ty];
}
