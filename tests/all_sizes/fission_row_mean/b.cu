// spmd: block=64 grid=(rows+63)/64 x[rows*cols] mean[rows] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void means(const float *x, float *mean, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = 0; j < cols; j++) s += x[r * cols + j];
  mean[r] = s / cols;
}

// spmd: block=256 grid=(rows*cols+255)/256 x[rows*cols] mean[rows] out[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void centred(const float *x, const float *mean, float *out, int rows, int cols) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < rows * cols) out[i] = x[i] - mean[i / cols];
}
