// expect: race-free=refuted
// No barrier follows.
__global__ void k(float *a, int n) {
  __shared__ float *row;
  if (threadIdx.x == 0) row = a + n;
  row[threadIdx.x] = 1;
}
