// expect: race-free=proved order-free=refuted
// spmd: block=64 grid=2
// One number, but what was there before tells who came first.
__global__ void counted(float *a, float *b) {
  b[blockIdx.x * 64 + threadIdx.x] = atomicAdd(&a[0], 1.0f);
}
