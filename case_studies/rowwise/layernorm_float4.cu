// spmd: block=128 grid=(rows+3)/4 rows=19 cols=300 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767, cols % 4 == 0
// One warp a row, float4: sum and sum of squares in one pass, then E[x²] - E[x]².
__global__ void layernorm(const float *__restrict__ in, const float *__restrict__ weight, const float *__restrict__ bias,
                          float *__restrict__ out, float *__restrict__ mean, float *__restrict__ rstd, int rows, int cols, float eps) {
  int lane = threadIdx.x & 31, row = blockIdx.x * 4 + (threadIdx.x >> 5);
  if (row >= rows) return;
  const float4 *x = reinterpret_cast<const float4 *>(in + row * cols);
  const float4 *w = reinterpret_cast<const float4 *>(weight), *b = reinterpret_cast<const float4 *>(bias);
  float4 *y = reinterpret_cast<float4 *>(out + row * cols);
  float sum = 0.0f, squares = 0.0f;
  for (int q = lane; q < cols / 4; q += 32) {
    float4 v = x[q];
    sum += v.x + v.y + v.z + v.w;
    squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
  }
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) {
    sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    squares += __shfl_xor_sync(0xffffffffu, squares, offset);
  }
  float m = sum / cols, s = rsqrtf(squares / cols - m * m + eps);
  for (int q = lane; q < cols / 4; q += 32) {
    float4 v = x[q], g = w[q], h = b[q];
    y[q] = make_float4((v.x - m) * s * g.x + h.x, (v.y - m) * s * g.y + h.y, (v.z - m) * s * g.z + h.z, (v.w - m) * s * g.w + h.w);
  }
  if (lane == 0) {
    mean[row] = m;
    rstd[row] = s;
  }
}
