// spmd: block=256 grid=(rows+7)/8 x[rows*cols] w[cols] out[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void rms_norm_warp(const float *x, const float *w, float *out, float eps, int rows, int cols) {
  int lane = threadIdx.x & 31, r = blockIdx.x * 8 + (threadIdx.x >> 5);
  if (r >= rows) return;
  const float *in = x + r * cols;
  float s = 0.0f;
  for (int j = lane; j < cols; j += 32) s = fmaf(in[j], in[j], s);
  for (int d = 16; d > 0; d >>= 1) s += __shfl_xor_sync(0xffffffffu, s, d);
  float scale = rsqrtf(s / cols + eps);
  for (int j = lane; j < cols; j += 32) out[r * cols + j] = w[j] * (in[j] * scale);
}
