// expect: race-free=refuted
// spmd: block=8 grid=2,2
// The grid has a second row that the kernel never looks at.
__global__ void flat(int *data) {
  data[8 * blockIdx.x + threadIdx.x] += 1;
}
