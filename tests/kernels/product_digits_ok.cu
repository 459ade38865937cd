// expect: race-free=proved no-wrap=proved
// A number taken apart by one size, then another, and put together again.
__global__ void digits(float *out, const float *in, int b, int n, int m) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  if (id >= b * n * m) return;
  int k = id % m, j = (id / m) % n, i = id / (m * n);
  out[(i * n + j) * m + k] = 2 * in[id];
}
