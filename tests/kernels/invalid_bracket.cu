// expect: verdict=invalid message=(bracket|\)|\])
// spmd: block=32 grid=1
// A bracket is never closed.
__global__ void fill(int *out) {
  out[threadIdx.x = 2;
}
