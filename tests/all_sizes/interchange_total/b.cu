// spmd: block=64 grid=(planes+63)/64 x[planes*h*w] out[planes] require planes > 0, planes <= 1000, h >= 0, h <= 1000, w >= 0, w <= 1000
__global__ void totals_by_columns(const float *x, float *out, int planes, int h, int w) {
  int p = blockIdx.x * 64 + threadIdx.x;
  if (p >= planes) return;
  float s = 0.0f;
  for (int j = 0; j < w; j++)
    for (int i = 0; i < h; i++) s += x[(p * h + i) * w + j];
  out[p] = s;
}
