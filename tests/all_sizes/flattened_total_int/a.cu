// spmd: block=64 grid=(planes+63)/64 x[planes*h*w] out[planes] require planes > 0, planes <= 1000, h >= 0, h <= 1000, w >= 0, w <= 1000
__global__ void totals(const int *x, int *out, int planes, int h, int w) {
  int p = blockIdx.x * 64 + threadIdx.x;
  if (p >= planes) return;
  int s = 0;
  for (int i = 0; i < h; i++) {
    int row = 0;
    for (int j = 0; j < w; j++) row += x[(p * h + i) * w + j];
    s += row;
  }
  out[p] = s;
}
