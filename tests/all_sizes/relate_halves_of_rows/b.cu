// spmd: block=128 grid=(rows+127)/128 x[rows*2*half] out[4*rows] require rows > 0, rows <= 5000, half >= 0, half <= 2000
__global__ void whole(const float *x, float *out, int rows, int half) {
  int row = blockIdx.x * 128 + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int j = 0; j < 2 * half; j++) sum += x[row * 2 * half + j];
  out[4 * row] = sum;
}
