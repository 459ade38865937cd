// spmd: block=128 grid=(rows+127)/128 rows=19 cols=300 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// RMS norm, one thread a row.
__global__ void rmsnorm(const float *in, const float *weight, float *out, int rows, int cols, float eps) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0.0f;
  for (int c = 0; c < cols; c++) sum += in[row * cols + c] * in[row * cols + c];
  float scale = 1.0f / sqrtf(sum / cols + eps);
  for (int c = 0; c < cols; c++) out[row * cols + c] = in[row * cols + c] * scale * weight[c];
}
