// expect: race-free=refuted
// The same with a round that goes on by one grid too few.
// spmd: grid=g x[n] out[n] require n >= 0, n <= 1000000, g > 0, g <= 1000
__global__ void four_apart(const float *x, float *out, int n, int g) {
  int step = blockDim.x * gridDim.x, j = blockIdx.x * blockDim.x + threadIdx.x;
  for (; j + 3 * step < n; j += 4 * step) {
    out[j] = x[j];
    out[j + step] = x[j + step];
    out[j + 2 * step] = x[j + 2 * step];
    out[j + 3 * step + 1] = x[j + 3 * step];
  }
  for (; j < n; j += step) out[j] = x[j];
}
