// spmd: block=128 grid=(rows+3)/4 x[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void unit_rows_warp(float *x, float eps, int rows, int cols) {
  int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = lane; j < cols; j += 32) s += x[r * cols + j] * x[r * cols + j];
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
  float inverse = 1.0f / sqrtf(s + eps);
  for (int j = lane; j < cols; j += 32) x[r * cols + j] *= inverse;
}
