// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// A loop that is left early.
__global__ void first(const int *in, int *out) {
  for (int k = 0; k < 8; k++) {
    if (in[k] > 0) break;
    out[8 * threadIdx.x + k] = 1;
  }
}
