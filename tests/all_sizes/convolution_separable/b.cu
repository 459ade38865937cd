// spmd: block=32,8 grid=(w+31)/32,(h+m-1+7)/8 x[(w+m-1)*(h+m-1)] u[m] scratch[w*(h+m-1)] require w > 0, h > 0, m > 0, w <= 10000, h <= 10000, m <= 1000
__global__ void by_rows(const float *x, const float *u, float *scratch, int w, int h, int m) {
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  if (i >= w || j >= h + m - 1) return;
  float s = 0.0f;
  for (int a = 0; a < m; a++) s += u[a] * x[j * (w + m - 1) + i + a];
  scratch[j * w + i] = s;
}

// spmd: block=32,8 grid=(w+31)/32,(h+7)/8 scratch[w*(h+m-1)] v[m] out[w*h] require w > 0, h > 0, m > 0, w <= 10000, h <= 10000, m <= 1000
__global__ void by_columns(const float *scratch, const float *v, float *out, int w, int h, int m) {
  int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y;
  if (i >= w || j >= h) return;
  float s = 0.0f;
  for (int b = 0; b < m; b++) s += v[b] * scratch[(j + b) * w + i];
  out[j * w + i] = s;
}
