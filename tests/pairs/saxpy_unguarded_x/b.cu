// spmd: block=128 grid=n/128 require n >= 128, n <= 1000000
__global__ void saxpy_whole(const float *x, float *y, float f, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  y[i] = f * x[i] + y[i];
}
