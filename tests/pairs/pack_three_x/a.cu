// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 1000000
__global__ void pack(const float *x, const float *y, const float *z, float *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) {
    out[3 * i] = x[i];
    out[3 * i + 1] = y[i];
    out[3 * i + 2] = z[i];
  }
}
