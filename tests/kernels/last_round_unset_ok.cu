// expect: order-free=proved race-free=proved
// spmd: block=32 grid=1
// The value of the round before is used from the second round on.
__global__ void previous(const int *in, int *out) {
  int before;
  for (int k = 0; k < 3; k++) {
    int now = in[3 * threadIdx.x + k];
    if (k > 0) out[2 * threadIdx.x + k - 1] = now - before;
    before = now;
  }
}
