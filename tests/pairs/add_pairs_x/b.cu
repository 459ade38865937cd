// spmd: block=64 grid=(n+127)/128 require n > 0, n <= 1000000
__global__ void add_two(const float *a, const float *b, float *c, int n) {
  int i = 2 * (blockIdx.x * 64 + threadIdx.x);
  if (i + 1 < n) {
    c[i] = a[i] + b[i];
    c[i + 1] = a[i + 1] + b[i + 1];
  }
}
