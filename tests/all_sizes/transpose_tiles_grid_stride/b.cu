// spmd: block=16,16 grid=blocks in[w*h] out[w*h] require w > 0, h > 0, w <= 20000, h <= 20000, blocks > 0, blocks <= 1000
__global__ void transpose_strided(const int *in, int *out, int w, int h, int blocks) {
  __shared__ int tile[16][17];
  int across = (w + 15) / 16, tiles = across * ((h + 15) / 16);
  int tx = threadIdx.x, ty = threadIdx.y;
  for (int k = blockIdx.x; k < tiles; k += gridDim.x) {
    int x = k % across * 16, y = k / across * 16;
    if (x + tx < w && y + ty < h) tile[ty][tx] = in[(y + ty) * w + x + tx];
    __syncthreads();
    if (y + tx < h && x + ty < w) out[(x + ty) * h + y + tx] = tile[tx][ty];
    __syncthreads();
  }
}
