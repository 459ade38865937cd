// expect: no-wrap=unknown message=may leave the range of int in some round
// The same up to an n at which j + 3 overflows before the loop has ended.
// spmd: block=64 grid=1 out[64] require n >= 2147483644
__global__ void four_at_once(const float *x, float *out, int n) {
  float s = 0.0f;
  int j = threadIdx.x % 4;
  for (; j + 3 < n; j += 4) s += x[j] + x[j + 1] + x[j + 2] + x[j + 3];
  for (; j < n; j++) s += x[j];
  out[threadIdx.x] = s;
}
