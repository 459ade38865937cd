// expect: verdict=invalid message=#error only for devices with tiles
// spmd: block=32 grid=1
// The file says itself that it is not to be compiled.
#ifndef TILE
#error only for devices with tiles
#endif
__global__ void fill(int *out) {
  out[threadIdx.x] = 1;
}
