// expect: race-free=proved order-free=proved
// How many values are large hangs on no order.
// spmd: block=64 grid=1
__global__ void large(const int *x, int *list, int *count) {
  int i = threadIdx.x;
  list[i] = x[i] > 5000;
  if (x[i] > 5000) atomicAdd(count, 1);
}
