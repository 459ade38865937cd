// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// A comma operator inside an index.
__global__ void comma(int *out) {
  out[(threadIdx.y, threadIdx.x)] = 1;
}
