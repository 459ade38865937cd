// expect: race-free=proved no-wrap=proved
// The digits of a number by sizes out of memory, times strides out of memory: only large ones make the sum overflow.
__global__ void permuted(float *out, const float *in, const int *sizes, const int *strides, const int *turned, int dims, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int rest = i, from = 0;
  for (int d = 0; d < dims; d++) {
    int digit = rest / sizes[d];
    rest = rest - digit * sizes[d];
    for (int t = 0; t < 3; t++)
      if (turned[t] == d) digit = sizes[d] - 1 - digit;
    from += digit * strides[d];
  }
  out[i] = in[from];
}
