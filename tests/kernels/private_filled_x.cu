// expect: order-free=refuted
// The last loop reads one element more than the first has filled.
__global__ void walk(float *out, const float *in, int n) {
  float own[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < 0 || n > 63) return;
  for (int k = 0; k < n; k++) own[k] = in[k] * i;
  float sum = 0;
  for (int k = 0; k <= n; k++) sum += own[k];
  out[i] = sum;
}
