// expect: race-free=proved barriers=proved order-free=proved
// at: block=256 grid=16 n=100000
// A scalar product: strides over the grid, then a tree over the block.
__global__ void dot(const float *a, const float *b, float *out, int n) {
  extern __shared__ float part[];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
  part[t] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}
