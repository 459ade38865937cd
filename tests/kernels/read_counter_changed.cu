// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// The body moves the counter on.
__global__ void hops(int *out) {
  for (int k = 0; k < 8; k++) {
    out[8 * threadIdx.x + k] = 1;
    if (k == 3) k += 2;
  }
}
