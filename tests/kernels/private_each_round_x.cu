// expect: order-free=refuted
// spmd: block=64 grid=1
// The array is a new one in each round: in the second nothing has been written to it.
__global__ void rounds(int *a) {
  int t = threadIdx.x;
  for (int i = 0; i < 2; i++) {
    int r[1];
    if (i == 0) r[0] = t;
    a[t] = r[0];
  }
}
