// expect: race-free=proved no-wrap=proved
// A sum of data that is only stored, by way of a quotient of floats: no index hangs on whether it wraps.
__global__ void mean(float *out, const int *in, int n, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int sum = 0;
  for (int i = 0; i < n; i++) sum += in[i] - i;
  out[row] = sum / (float)n;
}
