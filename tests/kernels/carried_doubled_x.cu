// expect: race-free=proved no-wrap=unknown message=in some round
// A sum that doubles in each round overflows in the thirty-second, however small the data are.
__global__ void permuted(float *out, const float *in, const int *strides, int dims, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int from = strides[0], last = 1;
  for (int d = 0; d < dims; d++) {
    from = 2 * from + strides[d];
  }
  out[i] = in[from];
}
