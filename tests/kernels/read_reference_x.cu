// expect: verdict=refuted race-free=refuted
// spmd: block=32 grid=1
// A reference to an element.
__global__ void fill(int *out) {
  int &mine = out[0];
  mine = threadIdx.x;
}
