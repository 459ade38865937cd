// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// A parameter that is moved on.
__global__ void moved(int *out) {
  out += threadIdx.x;
  *out = 1;
}
