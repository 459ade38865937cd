// spmd: block=32,8 grid=(half+31)/32,(rows+7)/8 x[2*rows*half] c[rows*half] s[rows*half] out[2*rows*half] require rows > 0, rows <= 10000, half >= 0, half <= 10000
__global__ void rope(const float *x, const float *c, const float *s, float *out, int rows, int half) {
  int j = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
  if (r >= rows || j >= half) return;
  float u = x[(r * half + j) * 2], v = x[(r * half + j) * 2 + 1];
  out[(r * half + j) * 2] = u * c[r * half + j] - v * s[r * half + j];
  out[(r * half + j) * 2 + 1] = u * s[r * half + j] + v * c[r * half + j];
}
