// expect: order-free=refuted
// The filling loop ends early where the data say so.
__global__ void walk(float *out, const int *in, int n) {
  int own[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < 1 || n > 64) return;
  for (int k = 0; k < n; k++) {
    if (in[k] == 7) break;
    own[k] = in[k];
  }
  int sum = 0;
  for (int k = 0; k < n; k++) sum += own[k];
  out[i] = sum;
}
