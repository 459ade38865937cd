// spmd: block=16,4 grid=(w+15)/16,(h+15)/16 w=53 h=37 require w >= 1, h >= 1, w <= 32767, h <= 32767
// Four pixels below each other a thread: each input of the column is read once and added to all outputs that need it.
__global__ void convolve(const float *in, const float *taps, float *out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y0 = (blockIdx.y * 4 + threadIdx.y) * 4;
  float sum[4] = {0};
  for (int row = 0; row < 8; row++)
    for (int c = 0; c < 5; c++) {
      float v = in[min(max(y0 + row - 2, 0), h - 1) * w + min(max(x + c - 2, 0), w - 1)];
      for (int o = 0; o < 4; o++)
        if (row - o >= 0 && row - o < 5) sum[o] += taps[(row - o) * 5 + c] * v;
    }
  for (int p = 0; p < 4; p++)
    if (x < w && y0 + p < h) out[(y0 + p) * w + x] = sum[p];
}
