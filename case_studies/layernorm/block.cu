// spmd: block=64 grid=rows rows=11 cols=100 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// One block a row: both sums by a tree in shared memory.
__device__ float block_sum(float v, float *red) {
  int t = threadIdx.x;
  red[t] = v;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) red[t] += red[t + d];
    __syncthreads();  // between two levels
  }
  v = red[0];
  __syncthreads();  // before red is filled again
  return v;
}
__global__ void layernorm(const float *in, const float *gamma, const float *beta, float *out, int rows, int cols, float eps) {
  __shared__ float red[64];
  const float *x = in + blockIdx.x * cols;
  float mean = 0.0f, var = 0.0f;
  for (int j = threadIdx.x; j < cols; j += blockDim.x) mean += x[j];
  mean = block_sum(mean, red) / cols;
  for (int k = threadIdx.x; k < cols; k += blockDim.x) var += (x[k] - mean) * (x[k] - mean);
  float inv = rsqrtf(block_sum(var, red) / cols + eps);
  for (int i = threadIdx.x; i < cols; i += blockDim.x)
    out[blockIdx.x * cols + i] = (x[i] - mean) * inv * gamma[i] + beta[i];
}
