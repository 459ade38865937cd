// spmd: block=96 grid=(n+95)/96 require n > 0, n <= 1000000
__global__ void add(const float *a, const float *b, float *c, int n) {
  int i = blockIdx.x * 96 + threadIdx.x;
  if (i < n) c[i] = b[i] + a[i];
}
