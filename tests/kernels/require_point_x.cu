// expect: race-free=refuted
// spmd: require count[1] <= 1
// The requirement speaks of another element.
__global__ void few(int *out, const int *count) {
  if (blockIdx.x == 0 && (int)threadIdx.x < count[0]) out[0] = threadIdx.x;
}
