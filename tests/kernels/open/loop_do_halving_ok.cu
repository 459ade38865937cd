// expect: race-free=proved barriers=proved
// A do-while loop.
__global__ void halve(int *out) {
  int t = threadIdx.x;
  do { t = t / 2; } while (t > 1);
  out[threadIdx.x] = t;
}
