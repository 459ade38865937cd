// spmd: block=32,8 grid=(w+31)/32,(h+7)/8 x[w*h] out[w*h] require w > 0, h > 0, w <= 20000, h <= 20000
__global__ void heat(const float *x, float *out, int w, int h) {
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  if (i >= w || j >= h) return;
  int at = j * w + i;
  if (i == 0 || j == 0 || i == w - 1 || j == h - 1) {
    out[at] = x[at];
    return;
  }
  out[at] = x[at] + 0.125f * (x[at - 1] + x[at + 1] + x[at - w] + x[at + w] - 4.0f * x[at]);
}
