// spmd: block=64 grid=(n+63)/64 require n > 0, n <= 1000000, k > 0, k <= 1000
__global__ void jump(const int *in, int *out, int n, int k) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) out[i * k] = in[i];
}
