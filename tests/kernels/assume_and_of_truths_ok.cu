// expect: race-free=proved barriers=proved
// spmd: block=64 grid=1 require offset >= 0 & offset > blockDim.x & offset < 1000000
// A requirement that joins comparisons by a bitwise and.
__global__ void add(int *a, int offset) {
  a[threadIdx.x] = a[threadIdx.x] + a[threadIdx.x + offset];
}
