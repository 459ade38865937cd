// expect: verdict=invalid message=(no launch|contradict|at least)
// spmd: block=32 grid=n require n <= 0
// The grid is never larger than zero.
__global__ void fill(int *out, int n) {
  out[0] = threadIdx.x;
}
