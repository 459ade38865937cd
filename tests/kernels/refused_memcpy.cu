// expect: verdict=unsupported message='memcpy'
// spmd: block=32 grid=1
// Bytes written by the library.
__global__ void bytes(const int *in, int *out) {
  memcpy(out, in, 128);
}
