// expect: verdict=invalid message='out' is an array
// spmd: block=32 grid=1 out=4
// The launch gives a number for an array.
__global__ void fill(int *out, int n) {
  out[threadIdx.x] = n;
}
