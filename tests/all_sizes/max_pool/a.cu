// spmd: block=128 grid=(planes*w*h+127)/128 x[4*planes*w*h] out[planes*w*h] require planes > 0, w > 0, h > 0, planes <= 100, w <= 1000, h <= 1000
__global__ void pool(const float *x, float *out, int planes, int w, int h) {
  int k = blockIdx.x * 128 + threadIdx.x;
  if (k >= planes * w * h) return;
  int i = k % w, j = k / w % h, p = k / (w * h);
  float m = -INFINITY;
  for (int v = 0; v < 2; v++)
    for (int u = 0; u < 2; u++) m = fmaxf(m, x[(p * 2 * h + 2 * j + v) * 2 * w + 2 * i + u]);
  out[k] = m;
}
