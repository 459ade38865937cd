// spmd: block=128 grid=(n+127)/128 x[n] out[n] require n > 0, n <= 1000000, rounds >= 0
__global__ void iterate_squared(const float *x, float *out, float a, float b, int n, int rounds) {
  int i = blockIdx.x * 128 + threadIdx.x;
  if (i >= n) return;
  float v = x[i], a2 = a * a, b2 = a * b + b;
  int k = 0;
  for (; k + 1 < rounds; k += 2) v = a2 * v + b2;
  if (k < rounds) v = a * v + b;
  out[i] = v;
}
