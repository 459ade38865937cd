// spmd: block=128 grid=(rows+3)/4 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void parity_warp(const unsigned *x, unsigned *out, int rows, int cols) {
  int lane = threadIdx.x % 32, r = blockIdx.x * 4 + threadIdx.x / 32;
  if (r >= rows) return;
  unsigned s = 0;
  for (int j = lane; j < cols; j += 32) s ^= x[r * cols + j];
  for (int d = 1; d < 32; d *= 2) s ^= __shfl_xor_sync(0xffffffffu, s, d);
  if (lane == 0) out[r] = s;
}
