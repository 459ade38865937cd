// spmd: block=128 grid=blocks x[n] y[n] require n > 0, n <= 1000000, blocks > 0, blocks <= 1000
__global__ void saxpy_strided(const float *x, float *y, float a, int n, int blocks) {
  int step = gridDim.x * 128;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += step) y[i] = a * x[i] + y[i];
}
