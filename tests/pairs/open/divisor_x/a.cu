// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 1000000
__global__ void map(const float *a, const float *b, float *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) out[i] = a[i] / 3.0f;
}
