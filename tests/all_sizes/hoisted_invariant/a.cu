// spmd: block=128 grid=(rows+127)/128 x[rows*cols] gain[rows] out[rows*cols] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void normalise(const float *x, const float *gain, float *out, float scale, int rows, int cols) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  for (int j = 0; j < cols; j++) out[r * cols + j] = x[r * cols + j] * (gain[r] / scale) + gain[r] * gain[r];
}
