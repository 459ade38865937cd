// expect: verdict=proved
// spmd: block=32 grid=1
// Bit-fields that are named in a list; the one that is not is 0.
struct Three { unsigned a : 8, b : 8, c : 16; int rest; };
__global__ void k(int *out) {
  Three three = {.b = threadIdx.x, .rest = 0};
  out[*((unsigned *)&three) >> 8] = threadIdx.x;
}
