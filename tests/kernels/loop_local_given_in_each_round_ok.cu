// expect: race-free=proved barriers=proved order-free=proved
// Locals declared outside and given a value in each round, before anything depends on them.
__global__ void sums(const float *in, float *out, int n, int m) {
  float x[3], sum = 0;
  for (int k = 0; k < n; k++)
    for (int d = 0; d < m; d++) {
      for (int i = 0; i < 3; i++) x[i] = in[(k * m + d) * 3 + i];
      for (int i = 0; i < 3; i++) sum += x[i] * x[2 - i];
    }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
