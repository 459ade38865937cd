// spmd: block=128 grid=(n+127)/128 x[n] y[n] out[n] require n > 0, n <= 1000000, n % 4 == 0
__global__ void fma_map(const float *x, const float *y, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] * y[i] + x[i];
}
