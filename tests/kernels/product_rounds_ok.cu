// expect: race-free=proved no-wrap=proved
// Blocks take planes, threads rows of them.
__global__ void planes(float *out, const float *in, int b, int n, int m) {
  for (int i = blockIdx.x; i < b; i += gridDim.x)
    for (int j = threadIdx.x; j < n; j += blockDim.x)
      for (int k = 0; k < m; k++) out[(i * n + j) * m + k] = 2 * in[(i * n + j) * m + k];
}
