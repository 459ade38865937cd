// expect: verdict=invalid message=:\d+:\d+: .*[{}]
// spmd: block=32 grid=1
// The body is never closed.
__global__ void fill(int *out) {
  if (threadIdx.x < 3) {
    out[threadIdx.x] = 2;
}
