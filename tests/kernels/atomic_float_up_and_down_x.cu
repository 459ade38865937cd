// expect: race-free=proved order-free=refuted
// spmd: block=64 grid=2
// One number, added and taken away.
__global__ void counted(float *a) {
  atomicAdd(&a[0], threadIdx.x % 2 ? 16777216.0f : -16777217.0f);
}
