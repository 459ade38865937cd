// expect: race-free=proved no-wrap=unknown message=in some round
// A number that doubles in each round overflows after few of them, whatever else is added.
__global__ void k(float *out, const float *in, int n, int m) {
  int count = 0;
  for (int i = 0; i < n; i++) {
    for (int j = threadIdx.x; j < m; j += blockDim.x) count++;
    count += count;
  }
  if (count > 7) out[blockIdx.x * blockDim.x + threadIdx.x] = in[threadIdx.x] / count;
}
