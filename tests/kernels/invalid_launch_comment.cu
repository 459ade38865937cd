// expect: verdict=invalid message='blocks' is neither NAME=VALUE nor NAME.ELEMENTS.
// spmd: block=32 grid=1 blocks
// A word too many in the launch.
__global__ void fill(int *out) {
  out[threadIdx.x] = 1;
}
