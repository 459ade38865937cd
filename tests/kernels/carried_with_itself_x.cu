// expect: race-free=proved no-wrap=unknown message=in some round
// The same, as a sum of the value with itself.
__global__ void permuted(float *out, const float *in, const int *strides, int dims, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int from = strides[0], last = 1;
  for (int d = 0; d < dims; d++) {
    from = from + (strides[d] > 0 ? from : 1);
  }
  out[i] = in[from];
}
