// spmd: block=64 grid=(rows+63)/64 x[rows*cols] y[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void accumulate_pointer(const float *x, float *y, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  const float *p = x + r * cols, *end = p + cols;
  float s = 0.0f;
  while (p != end) s += *p++;
  y[r] = y[r] + s;
}
