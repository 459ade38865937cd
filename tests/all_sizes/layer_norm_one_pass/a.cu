// spmd: block=64 grid=(rows+63)/64 x[rows*cols] out[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void layer_norm(const float *x, float *out, float eps, int rows, int cols) {
  int r = blockIdx.x * 64 + threadIdx.x;
  if (r >= rows) return;
  const float *row = x + r * cols;
  float s = 0.0f;
  for (int j = 0; j < cols; j++) s += row[j];
  float mean = s / cols;
  float v = 0.0f;
  for (int j = 0; j < cols; j++) v += (row[j] - mean) * (row[j] - mean);
  float scale = rsqrtf(v / cols + eps);
  for (int j = 0; j < cols; j++) out[r * cols + j] = (row[j] - mean) * scale;
}
