// spmd: block=64 grid=rows rows=11 cols=100 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// RMS norm, one block a row: sums of warps by shuffles, then of the block through shared memory.
__global__ void rmsnorm(const float *in, const float *gamma, float *out, int rows, int cols, float eps) {
  __shared__ float part[2];
  const float *x = in + blockIdx.x * cols;
  float squares = 0.0f;
  for (int j = threadIdx.x; j < cols; j += 64) squares += x[j] * x[j];
  for (int d = 16; d > 0; d /= 2) squares += __shfl_down_sync(0xffffffffu, squares, d);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = squares;
  __syncthreads();
  float inv = rsqrtf((part[0] + part[1]) / cols + eps);
  for (int i = threadIdx.x; i < cols; i += 64) out[blockIdx.x * cols + i] = x[i] * inv * gamma[i];
}
