// expect: no-wrap=unknown race-free=proved
// spmd: block=32 grid=1
// The last product before the test fails may leave its type.
__global__ void power(int *out, int n) {
  int x = 1;
  while (x < n) x *= 3;
  out[threadIdx.x] = x;
}
