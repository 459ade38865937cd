// spmd: block=64 grid=(rows+63)/64 x[rows*cols] w[cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void weighted(const float *x, const float *w, float *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = 0; j < cols; j++) s += x[r * cols + j] * w[j];
  out[r] = s;
}
