// spmd: block=32 grid=(n+32*each-1)/(32*each) x[n] out[n] require n > 0, n <= 1000000, each > 0, each <= 1000
__global__ void half_reversed(const float *x, float *out, int n, int each) {
  int first = (blockIdx.x * 32 + threadIdx.x) * each;
  for (int k = each - 1; k >= 0; k--) {
    int i = first + k;
    if (i < n) out[i] = 0.5f * x[n - 1 - i];
  }
}
