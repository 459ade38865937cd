// expect: race-free=refuted
// spmd: block=32 grid=1
// The stores agree, but a thread may read the cell before anyone has stored.
__global__ void equal_value_read(int *flag, int *out) {
  flag[0] = 1;
  out[threadIdx.x] = flag[0];
}
