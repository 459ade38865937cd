// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1
// The same through a macro and a C++ cast.
#define AS_CHARS(p) reinterpret_cast<char *>(p)
__global__ void bytes(int *out) {
  AS_CHARS(out)[threadIdx.x] = 1;
}
