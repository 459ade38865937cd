// expect: race-free=refuted
// It is moved by one.
__global__ void k(float **rows, int n) {
  float *p = rows[blockIdx.x], *end = p + n;
  for (p += threadIdx.x; p < end; p += 1) *p = threadIdx.x;
}
