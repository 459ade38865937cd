// spmd: block=256 grid=blocks x[n] out[n] require n > 0, n <= 1000000, blocks > 0, blocks <= 1000
__global__ void square_strided(const float *x, float *out, int n, int blocks) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = x[i] * x[i] + 1.0f;
}
