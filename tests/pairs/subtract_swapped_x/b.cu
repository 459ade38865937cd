// spmd: block=192 grid=(n+191)/192 require n > 0, n <= 1000000
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * 192 + threadIdx.x;
  if (i < n) c[i] = b[i] - a[i];
}
