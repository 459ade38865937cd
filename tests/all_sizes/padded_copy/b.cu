// spmd: block=64 grid=h+2*pad x[w*h] out[(w+2*pad)*(h+2*pad)] require w > 0, h > 0, pad >= 0, w <= 10000, h <= 10000, pad <= 1000
__global__ void frame_rows(const float *x, float *out, int w, int h, int pad) {
  int wide = w + 2 * pad, from = (int)blockIdx.x - pad;
  float *row = out + blockIdx.x * wide;
  if (from < 0 || from >= h) {
    for (int i = threadIdx.x; i < wide; i += 64) row[i] = 0.0f;
    return;
  }
  for (int i = threadIdx.x; i < wide; i += 64) {
    int k = i - pad;
    row[i] = k >= 0 && k < w ? x[from * w + k] : 0.0f;
  }
}
