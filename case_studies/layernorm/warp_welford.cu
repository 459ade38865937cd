// spmd: block=64 grid=(rows+1)/2 rows=11 cols=100 require rows >= 1, rows <= 65535, cols >= 32, cols <= 32767
// One warp a row: Welford in each lane, then the lanes' (n, mean, m2) are merged by Chan's formula with shuffles.
__global__ void layernorm(const float *in, const float *gamma, const float *beta, float *out, int rows, int cols, float eps) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  const float *x = in + row * cols;
  float n = 0.0f, mean = 0.0f, m2 = 0.0f;
  for (int j = lane; j < cols; j += 32) {
    n += 1.0f;
    float d = x[j] - mean;
    mean += d / n;
    m2 += d * (x[j] - mean);
  }
  for (int s = 16; s > 0; s /= 2) {
    float nb = __shfl_xor_sync(0xffffffffu, n, s);
    float mb = __shfl_xor_sync(0xffffffffu, mean, s);
    float sb = __shfl_xor_sync(0xffffffffu, m2, s);
    float total = n + nb, delta = mb - mean;
    mean += delta * nb / total;
    m2 += sb + delta * delta * n * nb / total;
    n = total;
  }
  float inv = rsqrtf(m2 / cols + eps);
  for (int i = lane; i < cols; i += 32) out[row * cols + i] = (x[i] - mean) * inv * gamma[i] + beta[i];
}
