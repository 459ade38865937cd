// spmd: block=192 grid=(3*n+191)/192 require n > 0, n <= 1000000
__global__ void pack_cells(const float *x, const float *y, const float *z, float *out, int n) {
  int j = blockIdx.x * 192 + threadIdx.x;
  int i = j / 3, part = j % 3;
  if (j < 3 * n) out[j] = part == 0 ? x[i] : part == 1 ? z[i] : y[i];
}
