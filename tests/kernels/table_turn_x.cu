// expect: race-free=refuted
// The row is another for odd threads only: two threads meet in the first.
__global__ void k(float **rows) {
  float *p = rows[0];
  if (threadIdx.x == 3) p = rows[1];
  p[threadIdx.x / 2] = threadIdx.x;
}
