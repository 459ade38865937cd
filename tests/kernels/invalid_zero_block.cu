// expect: verdict=invalid message=block.*size of 0
// spmd: block=0 grid=1
// A block of no threads.
__global__ void fill(int *out) {
  out[0] = threadIdx.x;
}
