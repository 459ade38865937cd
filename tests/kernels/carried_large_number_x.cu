// expect: race-free=proved no-wrap=unknown message=in some round
// What is added is a large number of the text, and little of the data.
__global__ void permuted(float *out, const float *in, const int *strides, int dims, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int from = strides[0], last = 1;
  for (int d = 0; d < dims; d++) {
    from += strides[d] % 2 + 1000000000;
  }
  out[i] = in[from];
}
