// expect: race-free=refuted
// The same sum, the same for all threads, as an index.
__global__ void mean(float *out, const int *in, int n, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  int sum = 0;
  for (int i = 0; i < n; i++) sum += in[i] - i;
  out[sum] = row;
}
