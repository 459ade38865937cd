// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows*cols] require rows > 0, rows <= 10000, cols >= 0, cols <= 10000
__global__ void exclusive(const float *x, float *out, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = 0; j < cols; j++) {
    out[r * cols + j] = s;
    s += x[r * cols + j];
  }
}
