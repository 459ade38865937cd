// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void smooth_peeled(const float *x, float *out, float a, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  const float *in = x + r * cols;
  float *y = out + r * cols, state = in[0], rest = 1.0f - a;
  y[0] = state;
  for (int j = 1; j < cols; j++) y[j] = state = a * in[j] + rest * state;
}
