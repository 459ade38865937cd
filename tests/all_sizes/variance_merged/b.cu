// spmd: block=32 grid=rows x[rows*cols] var[rows] require rows > 0, rows <= 20000, cols > 0, cols <= 20000
__global__ void variance_merged(const float *x, float *var, int rows, int cols) {
  __shared__ float means[32], squares[32];
  __shared__ int counts[32];
  int t = threadIdx.x, n = 0;
  float mean = 0.0f, m2 = 0.0f;
  for (int j = t; j < cols; j += 32) {
    float d = x[blockIdx.x * cols + j] - mean;
    n++;
    mean += d / n;
    m2 += d * (x[blockIdx.x * cols + j] - mean);
  }
  means[t] = mean;
  squares[t] = m2;
  counts[t] = n;
  __syncthreads();
  for (int d = 16; d > 0; d /= 2) {
    if (t < d && counts[t + d] > 0) {
      float all = counts[t] + counts[t + d], delta = means[t + d] - means[t];
      means[t] += delta * counts[t + d] / all;
      squares[t] += squares[t + d] + delta * delta * counts[t] * counts[t + d] / all;
      counts[t] += counts[t + d];
    }
    __syncthreads();
  }
  if (t == 0) var[blockIdx.x] = squares[0] / counts[0];
}
