// expect: race-free=refuted
// spmd: block=32 grid=1
// Two threads write neighbouring bit-fields: one memory location.
struct C { int sign; unsigned a : 16; unsigned b : 11; int c : 4; bool used; };
__global__ void k(C *p) {
  if (threadIdx.x == 0) p[0].a = 1;
  if (threadIdx.x == 1) p[0].b = 1;
}
