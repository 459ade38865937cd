// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 w=53 h=37 require w >= 1, h >= 1, w <= 32767, h <= 32767
// Convolution with 5 × 5 taps that are products of a row and a column of taps; one thread a pixel.
__global__ void convolve(const float *in, const float *across, const float *down, float *out, int w, int h) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int r = 0; r < 5; r++)
    for (int c = 0; c < 5; c++) {
      int i = x + c - 2, j = y + r - 2;
      if (i >= 0 && i < w && j >= 0 && j < h) sum += down[r] * across[c] * in[j * w + i];
    }
  out[y * w + x] = sum;
}
