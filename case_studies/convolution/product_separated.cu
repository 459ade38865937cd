// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 w=53 h=37 require w >= 1, h >= 1, w <= 32767, h <= 32767
// The rows of a tile are convolved into shared memory, then its columns: 10 products a pixel instead of 25.
__global__ void convolve(const float *in, const float *across, const float *down, float *out, int w, int h) {
  __shared__ float tile[20][20], rows[20][16];
  int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * 16 + tx, y = blockIdx.y * 16 + ty;
  for (int r = ty; r < 20; r += 16)
    for (int c = tx; c < 20; c += 16) {
      int i = blockIdx.x * 16 + c - 2, j = blockIdx.y * 16 + r - 2;
      tile[r][c] = i >= 0 && i < w && j >= 0 && j < h ? in[j * w + i] : 0.0f;
    }
  __syncthreads();  // the tile is loaded
  for (int q = ty; q < 20; q += 16) {
    float sum = 0.0f;
    for (int c = 0; c < 5; c++) sum += across[c] * tile[q][tx + c];
    rows[q][tx] = sum;
  }
  __syncthreads();  // the rows are done
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int r = 0; r < 5; r++) sum += down[r] * rows[ty + r][tx];
  out[y * w + x] = sum;
}
