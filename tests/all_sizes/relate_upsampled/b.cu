// spmd: block=256 grid=(2*n+255)/256 x[n] up[2*n] require n > 0, n <= 100000
__global__ void square_twice(const float *x, float *up, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 2 * n) up[i] = x[i / 2] * x[i / 2];
}
