// expect: race-free=proved no-wrap=proved
// Some cells of a row for each thread of as many as two sizes make.
__global__ void rows(float *out, const float *in, int b, int n, int m) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= b * n) return;
  for (int k = 0; k < m; k++) out[row * m + k] = in[row * m + k];
}
