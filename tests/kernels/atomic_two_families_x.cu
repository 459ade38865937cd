// expect: race-free=proved order-free=refuted
// spmd: block=64 grid=2
// Sums and maxima of one cell do not commute.
__global__ void mix(int *cell, const int *in) {
  if (threadIdx.x & 1) atomicAdd(cell, in[threadIdx.x]);
  else atomicMax(cell, in[threadIdx.x]);
}
