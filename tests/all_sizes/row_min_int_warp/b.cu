// spmd: block=64 grid=(rows+1)/2 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 1, cols <= 20000
__global__ void row_min_warp(const int *x, int *out, int rows, int cols) {
  int lane = threadIdx.x % 32, r = blockIdx.x * 2 + threadIdx.x / 32;
  if (r >= rows) return;
  int m = 2147483647;
  for (int j = lane; j < cols; j += 32) m = min(m, x[r * cols + j]);
  for (int d = 16; d > 0; d /= 2) m = min(m, __shfl_xor_sync(0xffffffffu, m, d));
  if (lane == 0) out[r] = m;
}
