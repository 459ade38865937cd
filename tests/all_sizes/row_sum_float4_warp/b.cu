// spmd: block=256 grid=(rows+7)/8 x[rows*cols] out[rows] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000, cols % 4 == 0
__global__ void row_sum_quads(const float *x, float *out, int rows, int cols) {
  int lane = threadIdx.x % 32, r = blockIdx.x * 8 + threadIdx.x / 32;
  if (r >= rows) return;
  const float4 *row = reinterpret_cast<const float4 *>(x + r * cols);
  float s = 0.0f;
  for (int q = lane; q < cols / 4; q += 32) {
    float4 v = row[q];
    s += (v.x + v.y) + (v.z + v.w);
  }
  for (int d = 16; d > 0; d >>= 1) s += __shfl_xor_sync(0xffffffffu, s, d);
  if (lane == 0) out[r] = s;
}
