// expect: order-free=unknown race-free=proved
// spmd: grid=1
// What a round leaves to the next has no value: each round declares it anew.
__global__ void last(int *out, int n) {
  int x = 0;
  for (int i = 0; i < n; i++) {
    int y;
    if (i & 1) y = 1;
    x = y;
  }
  out[threadIdx.x] = x;
}
