// expect: verdict=invalid message=:\d+:\d+: .*[\])}]
// spmd: block=32 grid=1
// A bracket is never closed.
__global__ void fill(int *out) {
  out[threadIdx.x = 2;
}
