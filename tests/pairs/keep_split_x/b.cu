// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 1000000, m >= 0
__global__ void keep_split(const int *in, int *out, int m, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n && i < m) out[i] = in[i];
  if (i < n && i > m) out[i] = 0;
}
