// spmd: block=64 grid=(rows+63)/64 x[rows*cols] y[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000, cols % 4 == 0
__global__ void dot_four(const signed char *x, const signed char *y, int *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  const char4 *u = (const char4 *)(x + r * cols), *v = (const char4 *)(y + r * cols);
  int s = 0;
  for (int q = 0; q < cols / 4; q++) {
    char4 p = u[q], w = v[q];
    s += p.x * w.x + p.y * w.y + p.z * w.z + p.w * w.w;
  }
  out[r] = s;
}
