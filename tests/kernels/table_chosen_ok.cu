// expect: race-free=proved
// A row or a parameter.
__global__ void k(float **rows, float *a, int flag) {
  float *p = flag ? rows[0] : a;
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  p[j] = 2;
}
