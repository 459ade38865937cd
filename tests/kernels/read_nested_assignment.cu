// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// One assignment within another.
__global__ void both(int *a, int *b) {
  a[threadIdx.x] = b[threadIdx.x] = 1;
}
