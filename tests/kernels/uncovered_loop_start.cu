// expect: verdict=unknown message=cover .*loop whose number of rounds is not a constant
// A loop in steps of the grid.
__global__ void strides(int *out) {
  for (int i = threadIdx.x; i < 100; i += 32) out[i] = 1;
}
