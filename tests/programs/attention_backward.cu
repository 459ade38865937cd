// expect: race-free=proved barriers=proved order-free=proved
// spmd: require blockDim.y == 1
// at: block=256 grid=16,4 rows=16 scale=0.125
// Backward softmax of attention: the gradient of the scores of a causal row, by its sum with the gradient.
__global__ void backward(float *dscores, const float *datt, const float *att, int rows, float scale) {
  extern __shared__ float red[];
  int t = threadIdx.x, row = blockIdx.x;
  size_t base = ((size_t)blockIdx.y * gridDim.x + row) * gridDim.x;
  float sum = 0;
  for (int j = t; j <= row; j += blockDim.x) sum += att[base + j] * datt[base + j];
  red[t] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) red[t] += red[t + d];
    __syncthreads();
  }
  sum = red[0];
  for (int j = t; j <= row; j += blockDim.x) dscores[base + j] = scale * att[base + j] * (datt[base + j] - sum);
}
