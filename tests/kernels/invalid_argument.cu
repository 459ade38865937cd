// expect: verdict=invalid message='m' is not a scalar parameter
// spmd: block=32 grid=1 m=4
// The launch gives a value to a name that is no parameter.
__global__ void fill(int *out, int n) {
  out[threadIdx.x] = n;
}
