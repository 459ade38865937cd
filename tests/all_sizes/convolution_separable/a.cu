// spmd: block=16,16 grid=(w+15)/16,(h+15)/16 x[(w+m-1)*(h+m-1)] u[m] v[m] out[w*h] require w > 0, h > 0, m > 0, w <= 10000, h <= 10000, m <= 1000
__global__ void convolve(const float *x, const float *u, const float *v, float *out, int w, int h, int m) {
  int i = blockIdx.x * 16 + threadIdx.x, j = blockIdx.y * 16 + threadIdx.y;
  if (i >= w || j >= h) return;
  float s = 0.0f;
  for (int b = 0; b < m; b++)
    for (int a = 0; a < m; a++) s += u[a] * v[b] * x[(j + b) * (w + m - 1) + i + a];
  out[j * w + i] = s;
}
