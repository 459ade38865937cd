// expect: verdict=invalid message=requirement 'm > 0'.*'m' is not declared
// spmd: block=32 grid=1 require m > 0
// The requirement speaks of nothing.
__global__ void fill(int *out, int n) {
  out[threadIdx.x] = n;
}
