// spmd: block=128 grid=(rows*cols+127)/128 x[rows*cols] out[rows*cols] require rows > 0, rows <= 10000, cols >= 0, cols <= 10000
__global__ void prefix(const float *x, float *out, int rows, int cols) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= rows * cols) return;
  int r = i / cols, j = i % cols;
  float s = 0.0f;
  for (int k = 0; k <= j; k++) s += x[r * cols + k];
  out[i] = s;
}
