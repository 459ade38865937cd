// expect: verdict=unsupported message=a bit-field with an initialiser
// Not read.
struct F { unsigned x : 1 = 1, y : 1; };
__global__ void k(F *f) {
  F s;
  s.y = 0;
  f[0] = s;
}
