// expect: race-free=refuted
// The step is too short.
__global__ void k(float *a, float *b, int n, int flag) {
  float *p = a, *end;
  if (flag) p = b;
  end = p + n;
  for (p += threadIdx.x; p < end; p += 2) *p = threadIdx.x;
}
