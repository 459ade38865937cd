// expect: verdict=unsupported message=bit-fields in an initialiser list
// Not read.
struct F { unsigned x : 1, y : 1; };
__global__ void k(F *f) {
  F s = {1, 0};
  f[0] = s;
}
