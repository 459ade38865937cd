// spmd: block=128 grid=(n+127)/128 require n > 0, n <= 1000000
__global__ void reverse_push(const int *in, int *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[i];
}
