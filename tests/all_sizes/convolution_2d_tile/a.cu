// spmd: block=16,16 grid=(w-2+15)/16,(h-2+15)/16 x[w*h] k[9] out[(w-2)*(h-2)] require w > 2, h > 2, w <= 20000, h <= 20000
__global__ void convolve(const float *x, const float *k, float *out, int w, int h) {
  int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
  if (i >= w - 2 || j >= h - 2) return;
  float s = 0.0f;
  for (int v = 0; v < 3; v++)
    for (int u = 0; u < 3; u++) s += k[v * 3 + u] * x[(j + v) * w + i + u];
  out[j * (w - 2) + i] = s;
}
