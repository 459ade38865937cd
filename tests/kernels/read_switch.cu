// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// A switch.
__global__ void choose(int *out) {
  switch (threadIdx.x) {
    case 0: out[0] = 1; break;
    default: out[threadIdx.x] = 2;
  }
}
