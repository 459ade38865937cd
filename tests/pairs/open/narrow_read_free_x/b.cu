// spmd: block=64 grid=(n+63)/64 require n >= 100000
__global__ void gather(const int *in, int *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) out[i] = in[i];
}
