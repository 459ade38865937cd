// expect: verdict=proved race-free=proved barriers=proved
// spmd: block=32 grid=1
// An atomic counter.
__global__ void count(int *sum) {
  atomicAdd(sum, 1);
}
