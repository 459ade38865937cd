// expect: order-free=proved race-free=proved
// A thread's own array is filled by a loop, changed by another and read by a third.
__global__ void walk(float *out, const float *in, int n) {
  float own[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < 0 || n > 64) return;
  for (int k = 0; k < n; k++) own[k] = in[k] * i;
  for (int k = 1; k < n; k++) own[k] = own[k] + 1.0f;
  float sum = 0;
  for (int k = 0; k < n; k++) sum += own[k];
  out[i] = sum;
}
