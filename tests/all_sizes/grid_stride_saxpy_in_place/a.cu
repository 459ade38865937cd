// spmd: block=256 grid=(n+255)/256 x[n] y[n] require n > 0, n <= 1000000
__global__ void saxpy(const float *x, float *y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}
