// Reversal by half as many threads: each moves two neighbours.
__global__ void reverse(const int *in, int *out) {
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  int n = 2 * gridDim.x * blockDim.x;
  out[n - 1 - i] = in[i];
  out[n - 2 - i] = in[i + 1];
}
