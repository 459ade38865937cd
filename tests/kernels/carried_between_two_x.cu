// expect: race-free=proved no-wrap=unknown message=in some round
// Two values that grow by each other, as Fibonacci's numbers do.
__global__ void permuted(float *out, const float *in, const int *strides, int dims, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int from = strides[0], last = 1;
  for (int d = 0; d < dims; d++) {
    int next = from + last; last = from; from = next;
  }
  out[i] = in[from];
}
