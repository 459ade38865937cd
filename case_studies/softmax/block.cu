// spmd: block=64 grid=rows rows=11 cols=140 require rows >= 1, rows <= 65535, cols >= 1, cols <= 32767
// One block a row: maximum and sum by trees in shared memory.
__global__ void softmax(const float *in, float *out, int rows, int cols) {
  __shared__ float red[64];
  int t = threadIdx.x;
  const float *x = in + blockIdx.x * cols;
  float *y = out + blockIdx.x * cols;

  float m = -INFINITY;
  for (int j = t; j < cols; j += 64) m = fmaxf(m, x[j]);
  red[t] = m;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) red[t] = fmaxf(red[t], red[t + d]);
    __syncthreads();
  }
  m = red[0];
  __syncthreads();  // before the tree is used again

  float sum = 0.0f;
  for (int j = t; j < cols; j += 64) sum += expf(x[j] - m);
  red[t] = sum;
  __syncthreads();
  for (int d = 64 / 2; d > 0; d >>= 1) {
    if (t < d) red[t] += red[t + d];
    __syncthreads();  // between two levels of the sum
  }
  sum = red[0];

  for (int j = t; j < cols; j += 64) y[j] = expf(x[j] - m) / sum;
}
