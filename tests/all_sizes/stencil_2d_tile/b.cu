// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 x[w*h] out[w*h] require w > 0, h > 0, w <= 20000, h <= 20000
__global__ void heat_tile(const float *x, float *out, int w, int h) {
  __shared__ float s[18][18];
  int u = threadIdx.x + 1, v = threadIdx.y + 1;
  int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
  if (i < w && j < h) {
    s[v][u] = x[j * w + i];
    if (u == 1 && i > 0) s[v][0] = x[j * w + i - 1];
    if (u == 16 && i + 1 < w) s[v][17] = x[j * w + i + 1];
    if (v == 1 && j > 0) s[0][u] = x[(j - 1) * w + i];
    if (v == 16 && j + 1 < h) s[17][u] = x[(j + 1) * w + i];
  }
  __syncthreads();
  if (i >= w || j >= h) return;
  float middle = s[v][u];
  bool is_inner = i > 0 && j > 0 && i < w - 1 && j < h - 1;
  out[j * w + i] = is_inner ? middle + 0.125f * (s[v][u - 1] + s[v][u + 1] + s[v - 1][u] + s[v + 1][u] - 4.0f * middle) : middle;
}
