// spmd: block=128 grid=(rows+3)/4 x[rows*cols] bias[cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void fused(const float *x, const float *bias, float *out, int rows, int cols) {
  int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = lane; j < cols; j += 32) s += fmaxf(x[r * cols + j] + bias[j], 0.0f);
  for (int d = 16; d > 0; d /= 2) s += __shfl_down_sync(0xffffffffu, s, d);
  if (lane == 0) out[r] = s;
}
