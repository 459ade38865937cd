// spmd: block=128 grid=(rows+3)/4 x[rows*cols] y[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void dots_warp(const float *x, const float *y, float *out, int rows, int cols) {
  int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
  if (r >= rows) return;
  const float *u = x + r * cols, *v = y + r * cols;
  float s = 0.0f;
  for (int j = lane; j < cols; j += 32) s += u[j] * v[j];
#pragma unroll
  for (int d = 16; d > 0; d >>= 1) s += __shfl_down_sync(0xffffffffu, s, d);
  if (lane == 0) out[r] = s;
}
