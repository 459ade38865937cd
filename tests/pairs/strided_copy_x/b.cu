// spmd: block=32 grid=(n+63)/64 require n > 0, n <= 1000000
__global__ void gather_two(const int *in, int *out, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  int k = i + 32;
  if (i < n) out[2 * i] = in[3 * i + 1];
  if (k < n) out[2 * k] = in[3 * k];
}
