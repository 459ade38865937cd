// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows*cols] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void softmax_kept(const float *x, float *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  const float *in = x + r * cols;
  float *y = out + r * cols;
  float m = -INFINITY, sum = 0.0f;
  for (int j = 0; j < cols; j++) m = fmaxf(m, in[j]);
  for (int j = 0; j < cols; j++) {
    float e = expf(in[j] - m);
    y[j] = e;
    sum += e;
  }
  for (int j = 0; j < cols; j++) y[j] = y[j] / sum;
}
