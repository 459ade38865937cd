// expect: race-free=proved barriers=proved
// spmd: require count[0] <= 1
// One element says how many threads write.
__global__ void few(int *out, const int *count) {
  if (blockIdx.x == 0 && (int)threadIdx.x < count[0]) out[0] = threadIdx.x;
}
