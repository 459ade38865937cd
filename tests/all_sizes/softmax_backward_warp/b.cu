// spmd: block=128 grid=(rows+3)/4 y[rows*cols] dy[rows*cols] dx[rows*cols] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void backward_warp(const float *y, const float *dy, float *dx, int rows, int cols) {
  int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = lane; j < cols; j += 32) s += y[r * cols + j] * dy[r * cols + j];
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
  for (int j = lane; j < cols; j += 32) {
    int at = r * cols + j;
    dx[at] = y[at] * dy[at] - y[at] * s;
  }
}
