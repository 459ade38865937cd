// expect: verdict=unsupported message=the initialiser of .x.
// Not read.
struct F { unsigned x : 1; int y; __device__ F() : x(3), y(1) {} };
__global__ void k(F *f) {
  F s;
  f[0] = s;
}
