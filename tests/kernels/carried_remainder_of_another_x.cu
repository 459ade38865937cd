// expect: race-free=proved no-wrap=unknown message=in some round
// It looks like a remainder, but what is taken away is a multiple of another number.
__global__ void permuted(float *out, const float *in, const int *strides, int dims, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int from = strides[0], last = 1;
  for (int d = 0; d < dims; d++) {
    from = from - (from / (strides[d] + 1)) * last * 3 + from; last = d;
  }
  out[i] = in[from];
}
