// spmd: block=128 grid=(n+127)/128 x[n] out[n] require n > 0, n <= 1000000, rounds >= 0
__global__ void iterate(const unsigned *x, unsigned *out, int n, int rounds) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i];
  for (int k = 0; k < rounds; k++) v = 5 * v + 3;
  out[i] = v;
}
