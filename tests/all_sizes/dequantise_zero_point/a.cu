// spmd: block=128 grid=(rows+127)/128 q[rows*cols] zero[rows] scale[rows] out[rows*cols] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void dequantise(const unsigned char *q, const float *zero, const float *scale, float *out, int rows, int cols) {
  int r = blockIdx.x * 128 + threadIdx.x;
  if (r >= rows) return;
  for (int j = 0; j < cols; j++) out[r * cols + j] = ((float)q[r * cols + j] - zero[r]) * scale[r];
}
