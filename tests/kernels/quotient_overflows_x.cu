// expect: no-wrap=refuted
// A quotient is not the only thing that is computed: twice one of a large number overflows, whatever the divisor is.
__global__ void twice(int *out, int n, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (d > 0 && n > 1500000000) out[2 * (n / d) + i] = i;
}
