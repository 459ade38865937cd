// spmd: block=256 grid=(n+255)/256 require n > 0, n <= 1000000
__global__ void saxpy(const float *x, float *y, float f, int n) {
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) y[i] = f * x[i] + y[i];
}
