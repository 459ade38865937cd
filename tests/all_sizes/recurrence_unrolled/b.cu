// spmd: block=128 grid=(n+127)/128 x[n] out[n] require n > 0, n <= 1000000, rounds >= 0
__global__ void iterate_two(const float *x, float *out, float a, float b, int n, int rounds) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float v = x[i];
  for (int k = 0; k < rounds / 2; k++) {
    v = a * v + b;
    v = a * v + b;
  }
  if (rounds % 2) v = a * v + b;
  out[i] = v;
}
