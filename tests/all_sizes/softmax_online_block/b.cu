// spmd: block=64 grid=rows x[rows*cols] out[rows*cols] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void softmax_merged(const float *x, float *out, int rows, int cols) {
  __shared__ float ms[64], ls[64];
  int t = threadIdx.x;
  const float *row = x + blockIdx.x * cols;
  float m = -1e30f, l = 0.0f;
  for (int j = t; j < cols; j += 64) {
    float larger = fmaxf(m, row[j]);
    l = l * expf(m - larger) + expf(row[j] - larger);
    m = larger;
  }
  ms[t] = m;
  ls[t] = l;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) {
      float both = fmaxf(ms[t], ms[t + d]);
      ls[t] = ls[t] * expf(ms[t] - both) + ls[t + d] * expf(ms[t + d] - both);
      ms[t] = both;
    }
    __syncthreads();
  }
  m = ms[0];
  l = ls[0];
  for (int j = t; j < cols; j += 64) out[blockIdx.x * cols + j] = expf(row[j] - m) / l;
}
