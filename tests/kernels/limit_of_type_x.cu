// expect: race-free=refuted
// spmd: block=128 grid=(t*h*(s/4)+127)/128 require t >= 0, h >= 0, s >= 0, s % 4 == 0, t <= 2147483647, h <= 2147483647, s <= 2147483647, t*h <= 4294967295, t*h*(s/4) <= 4294967295, t*h*(s/4) + 128 <= 4294967295
// Rows of one t overlap: a race at small sizes, whatever products fit.
__global__ void rows_of_four(float *a, unsigned t, unsigned h, unsigned s) {
  unsigned i = blockIdx.x * 128 + threadIdx.x, per = s / 4;
  if (i >= t * h * per) return;
  unsigned row = i / per, at = i % per;
  for (int k = 0; k < 4; ++k) a[row / h * h * s + row % h + at * 4 + k] = i;
}
