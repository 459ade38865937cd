// expect: order-free=refuted race-free=proved bounds=proved
// spmd: block=64 grid=1
// Which cell is read depends on the thread; only the first round has written it.
__global__ void rounds(int *a) {
  int t = threadIdx.x;
  for (int i = 0; i < 3; i++) {
    int r[2];
    if (i == 0) r[t & 1] = 1;
    a[t] = r[t & 1];
  }
}
