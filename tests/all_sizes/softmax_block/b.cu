// spmd: block=128 grid=rows x[rows*cols] out[rows*cols] require rows > 0, rows <= 20000, cols >= 0, cols <= 20000
__global__ void softmax_block(const float *x, float *out, int rows, int cols) {
  __shared__ float s[128];
  int t = threadIdx.x;
  const float *row = x + blockIdx.x * cols;
  float m = -INFINITY;
  for (int j = t; j < cols; j += 128) m = fmaxf(m, row[j]);
  s[t] = m;
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d) s[t] = fmaxf(s[t], s[t + d]);
    __syncthreads();
  }
  m = s[0];
  __syncthreads();
  float sum = 0.0f;
  for (int j = t; j < cols; j += 128) sum += expf(row[j] - m);
  s[t] = sum;
  __syncthreads();
  for (int d = 64; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  for (int j = t; j < cols; j += 128) out[blockIdx.x * cols + j] = expf(row[j] - m) / s[0];
}
