// expect: race-free=refuted barriers=proved
// Steps of a block: the next block was there already.
__global__ void scale(float *x, float by, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x) x[i] *= by;
}
