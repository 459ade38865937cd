// expect: race-free=refuted
// spmd: block=8 grid=2
// The grid has two blocks that the kernel never tells apart.
__global__ void flat(int *data) {
  data[threadIdx.x] += 1;
}
