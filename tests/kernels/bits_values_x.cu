// expect: assertions=refuted
// spmd: block=1 grid=1
// Nine does not fit into four bits with a sign.
#include <cassert>
struct C { int sign; unsigned a : 16; unsigned b : 11; int c : 4; bool used; };
__global__ void k(C *p) {
  C s;
  s.a = 0; s.b = 0; s.c = 9; s.used = true;
  assert(s.c == 9);
  p[0] = s;
}
