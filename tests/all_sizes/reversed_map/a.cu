// spmd: block=128 grid=(n+127)/128 x[n] out[n] require n > 0, n <= 1000000
__global__ void half(const float *x, float *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[n - 1 - i] = 0.5f * x[i];
}
