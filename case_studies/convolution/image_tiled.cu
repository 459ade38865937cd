// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 w=53 h=37 require w >= 1, h >= 1, w <= 32767, h <= 32767
// A tile of 20 × 20 pixels, the block's 16 × 16 and a halo of 2, goes through shared memory.
__global__ void convolve(const float *in, const float *taps, float *out, int w, int h) {
  __shared__ float tile[20][20];
  int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
  for (int r = threadIdx.y; r < 20; r += 16)
    for (int c = threadIdx.x; c < 20; c += 16)
      tile[r][c] = in[min(max(y0 + r - 2, 0), h - 1) * w + min(max(x0 + c - 2, 0), w - 1)];
  __syncthreads();  // the tile is loaded
  int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int r = 0; r < 5; r++)
    for (int c = 0; c < 5; c++) sum += taps[r * 5 + c] * tile[threadIdx.y + r][threadIdx.x + c];
  out[y * w + x] = sum;
}
