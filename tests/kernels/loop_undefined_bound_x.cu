// expect: order-free=unknown race-free=proved
// spmd: grid=1
// How often the inner loop goes round depends on a local without a value.
__global__ void count(int *out, int n) {
  int x = 0;
  for (int i = 0; i < n; i++) {
    int often;
    for (int j = 0; j < often; j++) x++;
  }
  out[threadIdx.x] = x;
}
