// expect: race-free=proved order-free=proved
// Of all large values the last in memory stays, whoever comes first.
// spmd: block=32 grid=2
__global__ void last(const float *x, int *found) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (x[i] >= 99.5f && x[i] < 1000.0f) atomicMax(found, i);
}
