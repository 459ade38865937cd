// expect: verdict=invalid message=(no launch|contradict)
// spmd: block=32 grid=1 require n > 10, n < 5
// No n meets both requirements; nothing must be called proved.
__global__ void fill(int *out, int n) {
  out[0] = threadIdx.x;
}
