// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// A round that is cut short.
__global__ void positive(const int *in, int *out) {
  for (int k = 0; k < 8; k++) {
    if (in[k] < 0) continue;
    out[8 * threadIdx.x + k] = 1;
  }
}
