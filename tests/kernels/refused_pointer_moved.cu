// expect: verdict=unsupported message=pointer or array 'out'
// spmd: block=32 grid=1
// A parameter that is moved on.
__global__ void moved(int *out) {
  out += threadIdx.x;
  *out = 1;
}
