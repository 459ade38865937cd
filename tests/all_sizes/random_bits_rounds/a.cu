// spmd: block=128 grid=(n+127)/128 x[n] require n > 0, n <= 1000000, rounds >= 0
__global__ void scramble(unsigned *x, int n, int rounds) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  unsigned s = x[i];
  for (int k = 0; k < rounds; k++) {
    s = s * 1664525u + 1013904223u;
    s ^= s >> 16;
  }
  x[i] = s;
}
