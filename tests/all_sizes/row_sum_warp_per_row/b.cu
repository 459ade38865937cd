// spmd: block=256 grid=(rows+7)/8 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void row_sum_warps(const float *x, float *out, int rows, int cols) {
  int lane = threadIdx.x & 31;
  int r = blockIdx.x * 8 + (threadIdx.x >> 5);
  if (r >= rows) return;
  float s = 0.0f;
  for (int j = lane; j < cols; j += 32) s += x[r * cols + j];
  for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
  if (lane == 0) out[r] = s;
}
