// expect: verdict=proved race-free=proved barriers=proved
// spmd: block=32 grid=1
// A loop in steps of the grid.
__global__ void strides(int *out) {
  for (int i = threadIdx.x; i < 100; i += 32) out[i] = 1;
}
