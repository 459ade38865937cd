// spmd: block=16,16 grid=(w+2*pad+15)/16,(h+2*pad+15)/16 x[w*h] out[(w+2*pad)*(h+2*pad)] require w > 0, h > 0, pad >= 0, w <= 10000, h <= 10000, pad <= 1000
__global__ void frame(const float *x, float *out, int w, int h, int pad) {
  int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
  int wide = w + 2 * pad;
  if (i >= wide || j >= h + 2 * pad) return;
  bool is_inside = i >= pad && j >= pad && i < w + pad && j < h + pad;
  out[j * wide + i] = is_inside ? x[(j - pad) * w + i - pad] : 0.0f;
}
