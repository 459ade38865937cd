// expect: race-free=proved
// spmd: block=8,1 grid=1
// With one row nothing is done twice.
__global__ void flat(int *data) {
  data[threadIdx.x] += 1;
}
