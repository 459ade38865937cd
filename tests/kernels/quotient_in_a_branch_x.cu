// expect: race-free=proved no-wrap=refuted
// The quotient is computed only where nothing is divided by zero: elsewhere the sum overflows.
__global__ void shifted(int *out, int n, int d) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int base = d == 0 ? 2147483647 : (n / d) & 255;
  if (i < n) out[base + i] = i;
}
