// expect: race-free=refuted
// spmd: block=8,2 grid=1
// The kernel looks at x only, but the launch has two rows.
__global__ void flat(int *data) {
  data[threadIdx.x] += 1;
}
