// spmd: block=1 grid=3 n=203 require n >= 1, n <= 100000
// Inclusive sums of rows of n floats, one thread a row.
__global__ void scan(const float *in, float *out, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i++) {
    sum += in[blockIdx.x * n + i];
    out[blockIdx.x * n + i] = sum;
  }
}
