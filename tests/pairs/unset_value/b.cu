// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 1000000
__global__ void first(const int *in, int *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  int v;
  if (i < n && in[i] > 0) v = in[i];
  if (i < n) out[i] = v;
}
