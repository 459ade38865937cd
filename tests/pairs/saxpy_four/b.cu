// spmd: block=64 grid=(n+255)/256 require n > 0, n <= 1000000
__global__ void saxpy_four(const float *x, float *y, float f, int n) {
  for (int k = 0; k < 4; k++) {
    int i = blockIdx.x * 256 + k * 64 + threadIdx.x;
    if (i < n) y[i] = f * x[i] + y[i];
  }
}
