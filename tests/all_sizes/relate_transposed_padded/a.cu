// spmd: block=256 grid=(m*n+255)/256 x[m*n] bias[n] out[m*n] require m > 0, n > 0, m <= 4000, n <= 4000
__global__ void bias_relu(const float *x, const float *bias, float *out, int m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < m * n) out[i] = fmaxf(x[i] + bias[i % n], 0.0f);
}
