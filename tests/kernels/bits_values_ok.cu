// expect: assertions=proved race-free=proved
// spmd: block=1 grid=1
// What bit-fields hold: cut to their width, signed ones extended, steps and updates among neighbours.
#include <cassert>
struct C { int sign; unsigned a : 16; unsigned b : 11; int c : 4; bool used; };
static_assert(sizeof(C) == 12);
__global__ void k(C *p) {
  C s;
  s.sign = 1; s.a = 70000; s.b = 5; s.c = 9; s.used = true;
  assert(s.a == 4464 && s.b == 5 && s.c == -7 && s.used);
  s.b += 3; s.a++; ++s.b; s.c = -8;
  int old = s.c--, before = s.a--;
  assert(s.b == 9 && s.a == 4464 && before == 4465 && old == -8 && s.c == 7);
  s.b <<= 9; s.a = ~0; s.c = s.b = 0x7ff;
  assert(s.a == 65535 && s.b == 2047 && s.c == -1);
  p[0] = s;
}
