// spmd: block=256 grid=(n+255)/256 x[n] out[n] require n > 0, n <= 1000000
__global__ void scale(const float *x, float *out, float a, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) out[i] = a * x[i];
}
