// expect: race-free=proved no-wrap=proved
// The offset of the row matters before and after a loop; each loop's counter is asked about before what its guard lets through.
__global__ void scaled(float *out, const float *in, int rows, int columns) {
  __shared__ float s[1024];
  int row = blockIdx.x, t = threadIdx.x;
  if (row >= rows) return;
  const float *from = in + row * columns;
  float *to = out + row * columns;
  float most = 0;
  for (int i = t; i < columns; i += blockDim.x) most = fmaxf(most, from[i]);
  s[t] = most;
  __syncthreads();
  for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
    if (t < stride) s[t] = fmaxf(s[t], s[t + stride]);
    __syncthreads();
  }
  float top = s[0];
  for (int i = t; i < columns; i += blockDim.x) to[i] = from[i] / top;
}
