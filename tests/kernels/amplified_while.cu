// expect: verdict=proved race-free=proved barriers=proved
// spmd: block=32 grid=1
// A while loop: its trip count is not read.
__global__ void halve(int *out) {
  int t = threadIdx.x;
  while (t > 1) t = t / 2;
  out[threadIdx.x] = t;
}
