// expect: order-free=refuted
// Some threads fill their array, and a barrier comes before all read: each has one of its own.
__global__ void walk(float *out, const float *in, int n) {
  float own[64];
  int i = threadIdx.x;
  if (n < 1 || n > 64) return;
  if (i == 0)
    for (int k = 0; k < n; k++) own[k] = in[k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; k++) sum += own[k];
  out[blockIdx.x * blockDim.x + i] = sum;
}
