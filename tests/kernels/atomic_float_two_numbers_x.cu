// expect: race-free=proved order-free=refuted
// spmd: block=64 grid=2
// Two numbers: which comes first shows in the rounding.
__global__ void counted(float *a) {
  if (threadIdx.x % 2)
    atomicAdd(&a[0], 0.1f);
  else
    atomicAdd(&a[0], 3.7f);
}
