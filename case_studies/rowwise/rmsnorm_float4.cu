// spmd: block=128 grid=(rows+3)/4 rows=19 cols=300 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767, cols % 4 == 0
// One warp a row, float4, squares by fma in four sums.
__global__ void rmsnorm(const float *__restrict__ in, const float *__restrict__ weight, float *__restrict__ out, int rows, int cols,
                        float eps) {
  int lane = threadIdx.x & 31, row = blockIdx.x * 4 + (threadIdx.x >> 5);
  if (row >= rows) return;
  const float4 *x = reinterpret_cast<const float4 *>(in + row * cols), *w = reinterpret_cast<const float4 *>(weight);
  float4 *y = reinterpret_cast<float4 *>(out + row * cols);
  float4 squares = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  for (int q = lane; q < cols / 4; q += 32) {
    float4 v = x[q];
    squares.x = fmaf(v.x, v.x, squares.x);
    squares.y = fmaf(v.y, v.y, squares.y);
    squares.z = fmaf(v.z, v.z, squares.z);
    squares.w = fmaf(v.w, v.w, squares.w);
  }
  float sum = (squares.x + squares.y) + (squares.z + squares.w);
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  float scale = rsqrtf(sum / cols + eps);
  for (int q = lane; q < cols / 4; q += 32) {
    float4 v = x[q], g = w[q];
    y[q] = make_float4(v.x * scale * g.x, v.y * scale * g.y, v.z * scale * g.z, v.w * scale * g.w);
  }
}
