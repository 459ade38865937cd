// spmd: block=128 grid=(rows+127)/128 x[2*rows*half] c[rows*half] s[rows*half] out[2*rows*half] require rows > 0, rows <= 10000, half >= 0, half <= 10000
__global__ void rope_rows(const float *x, const float *c, const float *s, float *out, int rows, int half) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  int at = 2 * half * r, angle = half * r;
  for (int j = 0; j < half; j++) {
    float u = x[at], v = x[at + 1];
    out[at] = u * c[angle] - v * s[angle];
    out[at + 1] = u * s[angle] + v * c[angle];
    at += 2;
    angle++;
  }
}
