// spmd: block=128 grid=rows x[rows*cols] gamma[cols] beta[cols] out[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void layer_norm_block(const float *x, const float *gamma, const float *beta, float *out, float eps, int rows, int cols) {
  __shared__ float s[128];
  int t = threadIdx.x;
  const float *row = x + blockIdx.x * cols;
  float sum = 0.0f;
  for (int j = t; j < cols; j += 128) sum += row[j];
  s[t] = sum;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  float mean = s[0] / cols;
  __syncthreads();
  float squares = 0.0f;
  for (int j = t; j < cols; j += 128) {
    float d = row[j] - mean;
    squares += d * d;
  }
  s[t] = squares;
  __syncthreads();
  for (int d = 64; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  float scale = rsqrtf(s[0] / cols + eps);
  for (int j = t; j < cols; j += 128) out[blockIdx.x * cols + j] = (row[j] - mean) * scale * gamma[j] + beta[j];
}
