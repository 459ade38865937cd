// expect: race-free=proved order-free=proved no-wrap=proved
// A number of all rounds of two loops overflows only after as many rounds.
__global__ void k(float *out, const float *in, int n, int m) {
  int count = 0;
  for (int i = 0; i < n; i++)
    for (int j = threadIdx.x; j < m; j += blockDim.x) count++;
  if (count > 7) out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x] / count;
}
