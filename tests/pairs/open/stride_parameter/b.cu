// spmd: block=32 grid=(n+31)/32 require n > 0, n <= 1000000, k > 0, k <= 1000
__global__ void jump(const int *in, int *out, int n, int k) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (i < n) out[k * i] = in[i];
}
