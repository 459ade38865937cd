// expect: order-free=refuted
// Every other element is left out.
__global__ void walk(int *out, const int *in, int n) {
  int own[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (n < 2 || n > 64) return;
  for (int k = 0; k < n; k += 2) own[k] = in[k];
  int sum = 0;
  for (int k = 0; k < n; k++) sum += own[k];
  out[i] = sum;
}
