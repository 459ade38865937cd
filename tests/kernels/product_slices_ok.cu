// expect: race-free=proved no-wrap=proved
// A slice of n * m cells for each row of blocks.
__global__ void slices(float *out, const float *in, int n, int m) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * m; i += blockDim.x * gridDim.x)
    out[blockIdx.y * n * m + i] = in[i];
}
