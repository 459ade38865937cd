// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows*cols] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void softmax_online(const float *x, float *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float m = -INFINITY, l = 0.0f;
  for (int j = 0; j < cols; j++) {
    float v = x[r * cols + j];
    float larger = fmaxf(m, v);
    l = l * expf(m - larger) + expf(v - larger);
    m = larger;
  }
  for (int j = 0; j < cols; j++) out[r * cols + j] = expf(x[r * cols + j] - m) / l;
}
