// expect: verdict=invalid message=:5:19: (cannot assign|syntax error)
// spmd: block=32 grid=1
// A bracket is never closed.
__global__ void fill(int *out) {
  out[threadIdx.x = 2;
}
