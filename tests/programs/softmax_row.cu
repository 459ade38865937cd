// expect: race-free=proved barriers=proved order-free=proved
// at: block=256 grid=16 cols=1000
// Softmax of rows: maximum, sum and quotient, one block a row.
__global__ void softmax(const float *in, float *out, int cols) {
  extern __shared__ float red[];
  int t = threadIdx.x;
  const float *x = in + (size_t)blockIdx.x * cols;
  float *y = out + (size_t)blockIdx.x * cols;
  float m = -INFINITY;
  for (int i = t; i < cols; i += blockDim.x) m = fmaxf(m, x[i]);
  red[t] = m;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) red[t] = fmaxf(red[t], red[t + d]);
    __syncthreads();
  }
  m = red[0];
  __syncthreads();
  float s = 0;
  for (int i = t; i < cols; i += blockDim.x) s += expf(x[i] - m);
  red[t] = s;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) red[t] += red[t + d];
    __syncthreads();
  }
  s = red[0];
  for (int i = t; i < cols; i += blockDim.x) y[i] = expf(x[i] - m) / s;
}
