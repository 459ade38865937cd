// expect: verdict=proved race-free=proved
// spmd: block=32 grid=1 out[32]
// The macro makes a pair that is zero.
struct Pair { int x, y; };
#define NEW_PAIR Pair()
__global__ void k(int* out) {
  Pair p = NEW_PAIR;
  out[threadIdx.x] = p.x;
}
