// expect: race-free=refuted
// The slices lie as close as if they were rows.
__global__ void slices(float *out, const float *in, int n, int m) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n * m; i += blockDim.x * gridDim.x)
    out[blockIdx.y * n + i] = in[i];
}
