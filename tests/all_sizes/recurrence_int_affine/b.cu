// spmd: block=128 grid=(n+127)/128 x[n] out[n] require n > 0, n <= 1000000, rounds >= 0
__global__ void iterate_three(const unsigned *x, unsigned *out, int n, int rounds) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  unsigned v = x[i];
  int k = rounds;
  for (; k >= 3; k -= 3) v = 125 * v + 93;
  for (; k > 0; k--) v = 5 * v + 3;
  out[i] = v;
}
