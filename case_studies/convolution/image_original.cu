// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 w=53 h=37 require w >= 1, h >= 1, w <= 32767, h <= 32767
// Convolution of an image with 5 × 5 taps, borders repeated; one thread a pixel.
__global__ void convolve(const float *in, const float *taps, float *out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int r = 0; r < 5; r++)
    for (int c = 0; c < 5; c++) {
      int i = min(max(x + c - 2, 0), w - 1), j = min(max(y + r - 2, 0), h - 1);
      sum += taps[r * 5 + c] * in[j * w + i];
    }
  out[y * w + x] = sum;
}
