// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void lse_shifted(const float *x, float *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float m = x[r * cols], s = 0.0f;
  for (int j = 1; j < cols; j++) m = fmaxf(m, x[r * cols + j]);
  for (int j = 0; j < cols; j++) s += expf(x[r * cols + j] - m);
  out[r] = logf(s) + m;
}
