// expect: verdict=invalid message=:5:26: expected expression
// spmd: block=32 grid=1
// An operator without its right side.
__global__ void fill(int *out) {
  out[threadIdx.x] = 2 * ;
}
