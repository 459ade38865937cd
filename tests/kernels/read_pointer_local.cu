// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// A pointer into the middle of the output.
__global__ void through(int *out) {
  int *p = out + 1;
  p[threadIdx.x] = 1;
}
