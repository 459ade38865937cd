// expect: race-free=proved
// spmd: block=64 grid=(n+63)/64 require n > 2, n <= 1000000
// Only odd cells are written, only even ones read.
__global__ void smooth_odd(float *data, int n) {
  int i = blockIdx.x * 64 + threadIdx.x;
  if (i > 0 && i < n - 1 && (i & 1)) data[i] = 0.5f * (data[i - 1] + data[i + 1]);
}
