// expect: race-free=proved barriers=proved
// A while loop.
__global__ void halve(int *out) {
  int t = threadIdx.x;
  while (t > 1) t = t / 2;
  out[threadIdx.x] = t;
}
