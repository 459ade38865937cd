// spmd: block=256 grid=(4*n+255)/256 require n > 0, n <= 1000000
__global__ void unpack_cells(const int *in, int *r, int *g, int *b, int *a, int n) {
  int j = blockIdx.x * 256 + threadIdx.x;
  int i = j >> 2, part = j & 3;
  if (i >= n) return;
  if (part == 0) r[i] = in[j];
  if (part == 1) g[i] = in[j];
  if (part == 2) b[i] = in[j];
  if (part == 3) a[i] = in[j];
}
