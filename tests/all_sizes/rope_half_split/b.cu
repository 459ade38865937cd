// spmd: block=64 grid=rows x[2*rows*half] angle[half] out[2*rows*half] require rows > 0, rows <= 10000, half > 0, half <= 10000
__global__ void rotate_rows(const float *x, const float *angle, float *out, int rows, int half) {
  const float *low = x + blockIdx.x * 2 * half, *high = low + half;
  float *y = out + blockIdx.x * 2 * half;
  int r = blockIdx.x;
  for (int j = threadIdx.x; j < half; j += 64) {
    float w = r * angle[j], c = cosf(w), s = sinf(w);
    y[j] = low[j] * c - high[j] * s;
    y[j + half] = high[j] * c + low[j] * s;
  }
}
