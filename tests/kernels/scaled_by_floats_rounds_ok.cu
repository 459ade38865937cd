// expect: race-free=proved no-wrap=proved
// The same in a loop over rows, kept inside the image.
__global__ void scale(float *out, const float *in, int w, int h, int iw, int ih, float fx, float fy) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  for (int y = 0; y < h; y++) {
    int sx = min((int)(x * fx), iw - 1), sy = min((int)(y * fy), ih - 1);
    out[y * w + x] = in[sy * iw + sx];
  }
}
