// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void reduce(const float *x, float *out, int rows, int cols, int mode) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float s = mode == 2 ? 1.0f : 0.0f;
  for (int j = 0; j < cols; j++) {
    float v = x[r * cols + j];
    if (mode == 0) s += v;
    else if (mode == 1) s += v * v;
    else s *= v;
  }
  out[r] = s;
}
