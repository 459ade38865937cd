// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// The index moves on while it is used.
__global__ void next(int *out) {
  int i = 2 * threadIdx.x;
  out[i++] = 1;
  out[i++] = 2;
}
