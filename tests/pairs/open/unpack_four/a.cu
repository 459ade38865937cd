// spmd: block=128 grid=(n+127)/128 require n > 0, n <= 1000000
__global__ void unpack(const int *in, int *r, int *g, int *b, int *a, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) {
    r[i] = in[4 * i];
    g[i] = in[4 * i + 1];
    b[i] = in[4 * i + 2];
    a[i] = in[4 * i + 3];
  }
}
