// expect: race-free=proved no-wrap=proved
// A cell number taken apart in one branch of a choice: there the quotient fits, unless something is divided by zero.
__global__ void cells(const float *in, float *out, int n, int pw, int by_rows) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    int h = by_rows ? i / pw : i & 7;
    out[i] = in[h & 255];
  }
}
