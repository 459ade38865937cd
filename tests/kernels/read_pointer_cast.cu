// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// The same bytes under another type.
__global__ void bytes(int *out) {
  ((char *)out)[threadIdx.x] = 1;
}
