// spmd: block=16,16 grid=(w-2+15)/16,(h-2+15)/16 x[w*h] k[9] out[(w-2)*(h-2)] require w > 2, h > 2, w <= 20000, h <= 20000
__global__ void convolve_tile(const float *x, const float *k, float *out, int w, int h) {
  __shared__ float s[18 * 18];
  int tx = threadIdx.x, ty = threadIdx.y, left = blockIdx.x * 16, top = blockIdx.y * 16;
  for (int q = ty * 16 + tx; q < 18 * 18; q += 256) {
    int i = left + q % 18, j = top + q / 18;
    if (i < w && j < h) s[q] = x[j * w + i];
  }
  __syncthreads();
  if (left + tx >= w - 2 || top + ty >= h - 2) return;
  float sum = 0.0f;
  for (int v = 0; v < 3; v++)
    for (int u = 0; u < 3; u++) sum += k[v * 3 + u] * s[(ty + v) * 18 + tx + u];
  out[(top + ty) * (w - 2) + left + tx] = sum;
}
