// expect: verdict=invalid message=(no launch|contradict)
// spmd: block=32 grid=n/32 require n > 0, n % 32 == 0, n % 64 == 1
// No multiple of 32 leaves 1 modulo 64.
__global__ void fill(int *out, int n) {
  out[0] = threadIdx.x;
}
