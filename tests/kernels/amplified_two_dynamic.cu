// expect: race-free=refuted
// spmd: block=32 grid=1
// Both names mean the same memory.
__global__ void overlap(int *out) {
  extern __shared__ int a[];
  extern __shared__ float b[];
  a[threadIdx.x] = 1;
  b[31 - threadIdx.x] = 2.0f;
  out[threadIdx.x] = a[threadIdx.x];
}
