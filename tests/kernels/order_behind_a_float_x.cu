// expect: race-free=proved order-free=refuted
// The last large value that comes is the one that stays.
// spmd: block=32 grid=2
__global__ void last(const float *x, int *found) {
  int i = blockIdx.x * 32 + threadIdx.x;
  if (x[i] >= 99.5f && x[i] < 1000.0f) atomicExch(found, i);
}
