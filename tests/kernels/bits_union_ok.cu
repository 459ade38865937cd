// expect: assertions=proved
// Bit-fields in a union with the whole.
#include <cassert>
struct U { union { struct { unsigned lo : 8, hi : 24; }; unsigned all; }; };
__global__ void k(U *t) {
  U s;
  s.all = 0x1234;
  assert(s.lo == 0x34 && s.hi == 0x12);
  s.hi = 1;
  assert(s.all == 0x134);
  t[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
