// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// Bytes written by the library.
__global__ void bytes(const int *in, int *out) {
  memcpy(out, in, 128);
}
