// expect: verdict=invalid message=:\d+:\d+: syntax error
// spmd: block=32 grid=1
// An operator without its right side.
__global__ void fill(int *out) {
  out[threadIdx.x] = 2 * ;
}
