// expect: race-free=proved
// A pointer out of memory is moved in a loop.
__global__ void k(float **rows, int n) {
  float *p = rows[blockIdx.x], *end = p + n;
  for (p += threadIdx.x; p < end; p += blockDim.x) *p = 1;
}
