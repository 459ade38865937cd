// expect: race-free=proved
// spmd: block=128 grid=(n+127)/128 require n > 0, n <= 1000000
// A negative stride of two.
__global__ void backwards(const int *in, int *out, int n) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i < n) out[2 * n - 2 - 2 * i] = in[i];
}
