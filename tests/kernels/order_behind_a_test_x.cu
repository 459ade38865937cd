// expect: race-free=proved order-free=refuted
// Which place a large value gets hangs on who comes first; few data are so large.
// spmd: block=64 grid=1
__global__ void large(const int *x, int *list, int *count) {
  int i = threadIdx.x;
  if (x[i] > 5000) list[atomicAdd(count, 1)] = i;
}
